import { make } from "../helpers/dom.js";
import { preferences } from "../helpers/preferences.js";
import { number } from "../words.js";

const frame = 1 / 30;
const speeds = [0.25, 0.5, 1, 1.5, 2];

/**
 * Gives a movie the volume of the last one, and keeps what the person chooses.
 * @param {HTMLVideoElement} movie
 */
export function rememberVolume(movie) {
  const { volume, isMuted } = preferences.get("volume", { volume: 1, isMuted: false });
  movie.volume = volume;
  movie.muted = isMuted;
  movie.addEventListener("volumechange", () => preferences.set("volume", { volume: movie.volume, isMuted: movie.muted }));
}

/**
 * Does what a key is for while a movie is shown.
 * @param {HTMLVideoElement} movie
 * @param {KeyboardEvent} event
 * @returns {boolean} whether the key is for movies
 */
export function pressMovieKey(movie, { key, shiftKey }) {
  if (key === "F" && shiftKey) return toggleFullScreen(movie);
  const seek = (by) => (movie.currentTime = Math.max(0, Math.min(movie.currentTime + by, movie.duration || 0)));
  const step = (by) => {
    movie.pause();
    seek(by);
  };
  const toggle = () => (movie.paused ? movie.play().catch(() => {}) : movie.pause());
  const actions = {
    " ": toggle,
    k: toggle,
    j: () => seek(-10),
    l: () => seek(10),
    ",": () => step(-frame),
    ".": () => step(frame),
    m: () => (movie.muted = !movie.muted),
    "<": () => setSpeed(movie, -1),
    ">": () => setSpeed(movie, 1),
    ...(shiftKey && { ArrowLeft: () => seek(-5), ArrowRight: () => seek(5) }),
  };
  const isDigit = /^\d$/.test(key);
  const act = isDigit ? () => (movie.currentTime = (Number(key) / 10) * (movie.duration || 0)) : actions[key.length === 1 ? key.toLowerCase() : key];
  act?.();
  return act !== undefined;
}

function toggleFullScreen(movie) {
  if (document.fullscreenElement) document.exitFullscreen();
  else movie.requestFullscreen?.().catch(() => {});
  return true;
}

/** Makes a movie faster or slower, and shows how fast it is. */
function setSpeed(movie, by) {
  const index = Math.max(0, Math.min(speeds.indexOf(movie.playbackRate) + by, speeds.length - 1));
  movie.playbackRate = speeds[index];
  movie.parentElement.querySelector(".speed")?.remove();
  const label = make("output", { className: "speed", textContent: `${number(speeds[index])}×` });
  if (speeds[index] !== 1) movie.after(label);
}
