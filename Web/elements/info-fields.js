import { make, symbol } from "../helpers/dom.js";
import { dateOf, fieldsOf, keywordsIn, offsets, placeIn } from "../models/information.js";
import { words } from "../words.js";

/**
 * A field that saves on Enter and when it loses the focus. Escape restores its value. If `save`
 * returns null, the text was refused: it stays to be saved again, with a hint.
 * @param {{label: string, value: string | null, isMixed?: boolean, placeholder: string,
 *   isLong?: boolean, save: (text: string) => unknown, check?: (text: string) => string | null}}
 *   options
 */
export function textField({ label, value, isMixed = false, placeholder, isLong = false, save, check }) {
  const field = make(isLong ? "textarea" : "input", {
    className: `field ${isLong ? "caption" : ""}`, value: value ?? "", placeholder: isMixed ? words.editing.mixed : placeholder,
    attributes: { "aria-label": label, ...(isLong ? { rows: "1" } : { type: "text", autocomplete: "off" }) },
  });
  let saved = field.value;
  // The text that the server has. The panel compares it with the field's.
  field.defaultValue = saved;
  const hint = make("p", { className: "hint", hidden: true, attributes: { role: "alert" } });
  const keep = () => {
    const text = field.value.trim();
    if (text === saved.trim()) {
      field.value = saved;
      return true;
    }
    const trouble = check?.(text) ?? null;
    hint.hidden = trouble === null;
    hint.textContent = trouble ?? "";
    if (trouble) return false;
    const before = saved;
    saved = field.value = text;
    Promise.resolve(save(text)).then((answer) => {
      if (answer !== null) field.defaultValue = text;
      else if (saved === text) refuse(before);
    });
    return true;
  };
  const refuse = (before) => {
    saved = field.defaultValue = before;
    hint.hidden = field.value.trim() === saved.trim();
    hint.textContent = words.editing.notSaved;
  };
  field.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") {
      field.value = saved;
      hint.hidden = true;
      leave(field);
    } else if (event.key === "Enter" && !event.isComposing && !(isLong && event.shiftKey)) {
      event.preventDefault();
      if (keep()) leave(field);
    }
  });
  field.addEventListener("blur", keep);
  return make("div", { className: "editable" }, field, hint);
}

/** Puts the focus on what the information is about, where keys act again. */
const leave = (field) => (field.closest("asset-viewer") ?? document.querySelector("photo-grid")).focus({ preventScroll: true });

/** The keywords of one or more assets, each with a button that takes it away. */
export function keywordField(known, { add, remove }) {
  const keep = async (keywords) => {
    const text = input.value;
    input.value = "";
    if (keywords.length > 0 && (await add(keywords)) === null) input.value ||= text;
  };
  const input = make("input", { className: "field", placeholder: words.editing.addKeyword, autocomplete: "off", attributes: { "aria-label": words.editing.addKeyword } });
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") input.value = "";
    const keywords = keywordsIn(input.value);
    if ((event.key === "Enter" || event.key === ",") && !event.isComposing) {
      event.preventDefault();
      keep(keywords);
    }
  });
  input.addEventListener("blur", () => keep(keywordsIn(input.value)));
  const chips = known.map(({ keyword, isShared }) => {
    const away = make("button", { type: "button", ariaLabel: words.editing.removeKeyword(keyword) }, symbol("close"));
    away.addEventListener("click", () => remove(keyword));
    return make("li", { className: isShared ? "" : "partly" }, make("bdi", { textContent: keyword }), away);
  });
  return make("div", { className: "keywords" }, make("ul", {}, ...chips), input);
}

/**
 * A form for the date, the time and the zone, in place of the text. `note` says what changes. A
 * partial date becomes exact even if it is saved as it is.
 */
export function dateForm(iso, save, leave, { note = "", isPartial = false } = {}) {
  const before = fieldsOf(iso);
  const local = make("input", { type: "datetime-local", step: 1, value: before.local, className: "field", attributes: { "aria-label": words.editing.date } });
  const zone = make("select", { className: "field", attributes: { "aria-label": words.editing.zone } });
  const all = offsets.includes(before.offset) ? offsets : [...offsets, before.offset];
  zone.append(...all.map((value) => make("option", { value, textContent: value === "+00:00" ? "UTC" : `UTC${value.replace("-", "−")}` })));
  zone.value = before.offset;
  const hint = make("p", { className: "hint", hidden: true, textContent: words.editing.badDate, attributes: { role: "alert" } });
  const done = make("button", { type: "submit", className: "primary", textContent: words.editing.save });
  const cancel = make("button", { type: "button", className: "plain", textContent: words.general.cancel });
  const form = make("form", { className: "date-form" }, local, zone, make("p", { className: "faint", textContent: note, hidden: note === "" }), hint, make("div", { className: "buttons" }, cancel, done));
  cancel.addEventListener("click", leave);
  form.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") leave();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const date = dateOf(local.value, zone.value, iso);
    hint.hidden = date !== null;
    if (date === iso && !isPartial) leave();
    else if (date) save(date);
  });
  queueMicrotask(() => local.focus());
  return form;
}

/** The coordinates of assets, as a field. */
export function placeField({ latitude, longitude, isMixed }, save) {
  const value = latitude == null || longitude == null ? null : `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  return textField({
    label: words.editing.place, value, isMixed, placeholder: words.editing.addPlace,
    check: (text) => (placeIn(text) === undefined ? words.editing.badPlace : null),
    save: (text) => save(placeIn(text)),
  });
}
