// Requests of the owner, signed with the page's token. It stays in this tab, and is never sent.

import { at, put, show } from "./dom.js";
import { dateOf, known, trackerNow } from "./known.js";
import { keyOf, numberOf, signed } from "./signature.js";
import { span } from "./numbers.js";
import { answerWords, refusalWords, ruleProblemWords } from "./words.js";

const place = "leash-key";
/** @type {string | null} */
let key = null;
let counter = 0, isAsking = false, askAgain = () => {};

// A browser may forbid a page to keep anything: then the key is gone with a reload.
const kept = (body) => {
  try {
    return body(sessionStorage);
  } catch {
    return null;
  }
};
const keep = (value) => {
  key = value;
  kept((storage) => (value ? storage.setItem(place, value) : storage.removeItem(place)));
};
const tell = (words, isBad = false) => {
  put(at("ask-result"), words);
  at("ask-result").className = isBad ? "hint bad" : "hint";
};

// What was asked, without the corners of a fence.
/** @type {(text: string) => string} */
export const shortly = (text) => text.split("\"")[0].trim();
// What an answer says in words, and whether what was asked is done.
const outcome = (said) => {
  if (said.refused) return { isDone: false, words: `Refused: ${refusalWords(said.refused)}` };
  if (said.answer === "ruleRefused") return { isDone: false, words: `Refused: ${ruleProblemWords(said.reason)}` };
  return { isDone: true, words: said.answer ? answerWords(said.answer) : "done" };
};

// Signs by the tracker's clock, as that one judges, and sends.
/** @type {(text: string) => Promise<import("./types").Asking>} */
export const ask = async (text) => {
  if (!key) return { isDone: false, words: "Enter the token of this page first, under Last alert" };
  if (isAsking) return { isDone: false, words: "Another request is on its way; try again" };
  isAsking = true;
  showAsking(known.status);
  const utc = dateOf(trackerNow());
  counter = Math.max(counter + 1, utc ? utc.getTime() : Date.now());
  tell(`Asking: ${shortly(text)}…`);
  let result;
  try {
    const answer = await fetch("request", {
      method: "POST", headers: { "Leash-Request": "1" }, cache: "no-store",
      body: signed(`#${numberOf(counter)} ${text}`, key, known.status ? known.status.trackerID : "", counter),
      signal: /** @type {any} */ (AbortSignal).timeout(8000),
    });
    const said = await answer.json();
    if (said.refused === "forged") keep(null);
    result = outcome(said);
    tell(said.refused ? result.words : `${shortly(text)}: ${result.words}`, !result.isDone);
  } catch {
    result = { isDone: false, words: "No answer; see Requests for the result" };
    tell(`${shortly(text)}: no answer; below stands what became of it, if it came through`, true);
  }
  isAsking = false;
  showAsking(known.status);
  askAgain();
  return result;
};

// Whether somebody has given the token.
export const mayAsk = () => Boolean(key) && Boolean(known.status && known.status.pageTakesRequests);

/** @type {(status: import("./types").Status | null) => void} */
export const showAsking = (status) => {
  if (!status) return;
  const isOpen = status.alert ? status.alert.outcome === "unanswered" : false;
  show(at("ask"), status.pageTakesRequests);
  show(at("token-form"), !key);
  show(at("ask-buttons"), Boolean(key));
  show(at("ask-dismiss"), isOpen);
  show(at("ask-found"), isOpen);
  put(at("ask-dismiss"), `It was me: dismiss alert ${status.lastAlert}`);
  put(at("ask-alerts"), status.alertsEnabled ? "Alerts off" : "Alerts on");
  put(at("ask-track"), status.liveSeconds ? `Live for ${span(status.liveSeconds)} more` : "Live for 10 min");
  for (const button of at("ask-buttons").children) button.disabled = isAsking;
};

// - Parameter then: Called when something was asked, to show what has changed.
export const prepareAsking = (then) => {
  askAgain = then;
  key = kept((storage) => storage.getItem(place));
  at("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    keep(keyOf(at("token").value));
    at("token").value = "";
    tell("");
    showAsking(known.status);
  });
  const click = (id, text) => at(id).addEventListener("click", () => known.status && ask(text(known.status)));
  click("ask-dismiss", (status) => `dismiss ${status.lastAlert}`);
  click("ask-found", () => "found");
  click("ask-alerts", (status) => `alerts ${status.alertsEnabled ? "off" : "on"}`);
  click("ask-locate", () => "locate");
  click("ask-track", () => "track 10 600");
  at("ask-forget").addEventListener("click", () => {
    keep(null);
    tell("The token is forgotten");
    showAsking(known.status);
  });
};
