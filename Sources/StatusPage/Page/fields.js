// Forms: what is wrong is told at its field, and what the tracker refuses beside the form, which stays open.

import { at, make, put, show } from "./dom.js";

// The line below a field that says what is wrong with it.
const problemOf = (id) => {
  const known = at(`${id}-problem`);
  if (known) return known;
  const line = make("p", "problem");
  Object.assign(line, { id: `${id}-problem`, hidden: true });
  const field = at(id);
  if (field.localName === "fieldset") field.append(line);
  else field.after(line);
  const described = field.getAttribute("aria-describedby");
  field.setAttribute("aria-describedby", described ? `${described} ${line.id}` : line.id);
  return line;
};

// Tells what is wrong with each of a form's fields, and goes to the first one.
/** @type {(prefix: string, names: string[], problems: Record<string, string>) => void} */
export const tellProblems = (prefix, names, problems) => {
  let first = null;
  for (const name of names) {
    const id = `${prefix}-${name}`, field = at(id), words = problems[name] || "", line = problemOf(id);
    put(line, words);
    show(line, words !== "");
    if (words) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    if (words && !first) {
      first = field.localName !== "fieldset" ? field
        : [...field.querySelectorAll("input, select, button")].find((one) => one.offsetParent && !one.disabled);
    }
  }
  if (first) first.focus();
};

// Fills a choice, and leaves it alone while it has the same.
/** @type {(id: string, options: string[][]) => void} */
export const fillChoice = (id, options) => {
  const list = at(id), text = JSON.stringify(options);
  if (list.dataset.options === text) return;
  list.dataset.options = text;
  list.replaceChildren(...options.map(([value, words]) => {
    const option = make("option", "");
    option.value = value;
    option.textContent = words;
    return option;
  }));
};

// Sends what a form makes: wrong fields are told, an answer other than "changed" stands beside the form.
/** @type {(prefix: string, names: string[], made: import("./types").Made,
 *    ask: (text: string) => Promise<import("./types").Asking>) => Promise<boolean>} */
export const sendForm = async (prefix, names, { text, problems }, ask) => {
  tellProblems(prefix, names, problems);
  const line = at(`${prefix}-result`), button = at(`${prefix}-save`);
  put(line, "");
  if (!text) return false;
  // A button that is switched off loses the focus.
  const hadFocus = document.activeElement === button;
  button.disabled = true;
  const { isDone, words } = await ask(text);
  button.disabled = false;
  if (hadFocus) button.focus();
  if (!isDone) put(line, words);
  return isDone;
};
