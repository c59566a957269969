import { PhotoPicker } from "../../Web/picker.js";

const library = new URLSearchParams(location.search).get("library") ?? undefined;
const status = document.querySelector("#status");
const gallery = document.querySelector(".gallery");
if (library) document.querySelector("photo-picker").setAttribute("library", library);

document.querySelector("#images").addEventListener("click", () => choose({ filter: "images", selectionLimit: 3 }));
document.querySelector("#any").addEventListener("click", () => choose({ selectionLimit: 0, selection: "ordered" }));
document.querySelector("photo-picker").addEventListener("change", ({ target }) => {
  status.textContent = `The form has ${new FormData(target.closest("form")).getAll("photos").length} files.`;
});

/** Shows what a person chooses. The picker's window closes by itself. */
async function choose(configuration) {
  try {
    const photos = await PhotoPicker.open({ ...configuration, library, representation: "compatible", purpose: "Shown in a gallery on this page" });
    const files = await Promise.all(photos.map((photo) => photo.file()));
    gallery.append(...files.map(picture));
    status.textContent = files.length > 0 ? files.map(({ name, type, size }) => `${name}, ${type}, ${size} bytes`).join("; ") : "Nothing chosen.";
  } catch (error) {
    status.textContent = `${error.name}: ${error.message}`;
  }
}

function picture(file) {
  const isVideo = file.type.startsWith("video/");
  const element = document.createElement(isVideo ? "video" : "img");
  // Show no photo larger than at 100 %, where one of its pixels is one pixel of the screen.
  element.addEventListener("load", () => (element.height = element.naturalHeight / devicePixelRatio));
  Object.assign(element, { src: URL.createObjectURL(file) }, isVideo ? { controls: true, ariaLabel: file.name } : { alt: file.name });
  return element;
}
