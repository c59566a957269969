import { World } from "../models/world-map.js";

/** @type {Promise<World | null> | null} */
let loading = null;

/**
 * Loads the outlines and names of the world when they are first needed.
 * @returns {Promise<World | null>} null if they can't be loaded
 */
export function loadWorld() {
  loading ??= load();
  return loading;
}

async function load() {
  try {
    const answer = await fetch("/world.json");
    if (answer.ok) return new World(await answer.json());
  } catch {
    // The panel shows the coordinates alone.
  }
  loading = null;
  return null;
}
