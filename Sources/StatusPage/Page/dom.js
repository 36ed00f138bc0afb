// Places of the document. Everything shown goes through `textContent`.

// The element of that id, which the document has.
/** @type {(id: string) => any} */
export const at = (id) => document.getElementById(id);
export const body = document.body;
body.dataset.errors = "0";
const countError = (what) => {
  body.dataset.errors = String(Number(body.dataset.errors) + 1);
  body.dataset.error = String(what);
};
addEventListener("error", (event) => countError(event.message || "file not loaded"), true);
addEventListener("unhandledrejection", (event) => countError(event.reason));

// Changes a text only when it differs, so that selections live on and screen readers are told once.
export const put = (place, text) => {
  if (place.textContent !== text) place.textContent = text;
};
export const show = (place, visible) => {
  if (place.hidden === visible) place.hidden = !visible;
};
export const make = (name, className, ...children) => {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...children);
  return element;
};

// Brings a list to one child for each item: new ones are made, each is filled.
export const fillList = (list, items, makeOne, fillOne) => {
  while (list.children.length > items.length) list.lastElementChild.remove();
  while (list.children.length < items.length) list.append(makeOne());
  items.forEach((item, place) => fillOne(list.children[place], item));
};
export const fillFacts = (list, facts) => {
  const cells = facts.flatMap(([name, value, problem]) => [["dt", name], ["dd", value, problem]]);
  const kinds = [...list.children].map((child) => child.localName).join();
  if (kinds !== cells.map(([kind]) => kind).join()) list.replaceChildren(...cells.map(([kind]) => make(kind)));
  cells.forEach(([, text, problem], place) => {
    put(list.children[place], text);
    list.children[place].className = problem ? "problem" : "";
  });
};
