// The form of an alarm, and that of the time zone.

import { at, make, put, show } from "./dom.js";
import { alarmRequest, formOf, needsFence, newAlarm, rings, triggers, weekdays } from "./alarmtext.js";
import { fillChoice, sendForm, tellProblems } from "./fields.js";
import { commonZones, zoneRequest, zoneWords } from "./ruletext.js";

const fields = ["label", "time", "days", "date", "minutes", "fence", "from", "to", "windowDays", "sound", "snooze"];
const dayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const dayChoices = [["daily", "Every day"], ["weekdays", "Monday to Friday"], ["weekend", "Saturday and Sunday"], ["some", "Some days"]];
/** @type {(text: string) => Promise<import("./types").Asking>} */
let ask;
let number = 0, opener = null;
// What of an alarm has no field of its own is kept as it was.
let opened = newAlarm();
let zone = "";

const checkedDays = (id) => weekdays.filter((day) => at(`${id}-${day}`).checked);
/** @returns {import("./types").AlarmForm} */
const readForm = () => {
  const value = (name) => at(`alarm-${name}`).value;
  const trigger = value("trigger");
  return {
    ...opened, trigger, label: value("label"), time: value("time"), days: value("days-choice"), some: checkedDays("alarm-days"),
    date: value("date"), minutes: value("minutes"), where: value("where"), fence: value("fence"), noFix: value("noFix"),
    hasWindow: at("alarm-hasWindow").checked, from: value("from"), to: value("to"), windowDays: value("windowDays-choice"),
    windowSome: checkedDays("alarm-windowDays"), sound: value("sound"), snooze: value("snooze"), isEnabled: at("alarm-isEnabled").checked,
  };
};
// Fields that belong to what is chosen, and no others.
const showFields = () => {
  const form = readForm(), isTime = form.trigger === "at", isAboutFence = needsFence(form.trigger);
  show(at("alarm-time-field"), isTime);
  show(at("alarm-days"), isTime);
  show(at("alarm-days-some"), form.days === "some");
  show(at("alarm-date-field"), form.days === "date");
  show(at("alarm-minutes-field"), form.trigger === "stay");
  show(at("alarm-where-field"), !isAboutFence);
  show(at("alarm-fence-field"), isAboutFence || form.where !== "");
  show(at("alarm-noFix-field"), form.trigger === "stay" || (!isAboutFence && form.where !== ""));
  show(at("alarm-hasWindow-field"), !isTime);
  show(at("alarm-window"), !isTime && form.hasWindow);
  show(at("alarm-windowDays-some"), form.windowDays === "some");
  show(at("alarm-rings"), rings(form.trigger));
};
const writeForm = (form) => {
  for (const name of ["trigger", "label", "time", "date", "minutes", "where", "noFix", "from", "to", "sound", "snooze"]) {
    at(`alarm-${name}`).value = form[name];
  }
  at("alarm-fence").value = form.fence;
  at("alarm-days-choice").value = form.days;
  at("alarm-windowDays-choice").value = form.windowDays;
  for (const day of weekdays) {
    at(`alarm-days-${day}`).checked = form.some.includes(day);
    at(`alarm-windowDays-${day}`).checked = form.windowSome.includes(day);
  }
  at("alarm-hasWindow").checked = form.hasWindow;
  at("alarm-isEnabled").checked = form.isEnabled;
  showFields();
};
const close = () => {
  show(at("alarm-form"), false);
  if (opener && opener.isConnected) opener.focus();
  opener = null;
};

// Opens the form of an alarm, or of a new one of that number; false when another one has to be saved or given up before.
/** @type {(which: number, alarm: import("./types").AlarmRule | null, fences: import("./types").Fence[]) => boolean} */
export const openAlarm = (which, alarm, fences) => {
  if (!at("alarm-form").hidden) {
    put(at("alarm-result"), "Save or cancel this one first");
    at("alarm-form").scrollIntoView({ block: "nearest" });
    at("alarm-save").focus();
    return false;
  }
  const form = alarm ? formOf(alarm) : newAlarm();
  number = which;
  opener = document.activeElement;
  opened = form || newAlarm();
  put(at("alarm-title"), alarm ? `Edit alarm ${which}` : "New alarm");
  put(at("alarm-result"), form ? "" : "This page can't show all of this alarm; saving overwrites it");
  const choices = fences.map((fence) => [String(fence.number), `${fence.number} ${fence.name}`]);
  // A fence that is gone stays what it is until another is chosen.
  if (opened.fence && !choices.some(([value]) => value === opened.fence)) choices.push([opened.fence, `${opened.fence} (deleted)`]);
  fillChoice("alarm-fence", [["", choices.length ? "Choose a fence" : "There is no fence yet"], ...choices]);
  tellProblems("alarm", fields, {});
  show(at("alarm-form"), true);
  writeForm(opened);
  at("alarm-form").scrollIntoView({ block: "start" });
  at("alarm-label").focus({ preventScroll: true });
  return true;
};

// Days as a choice, and a box for each.
const makeDays = (id, choices) => {
  fillChoice(`${id}-choice`, choices);
  at(`${id}-some`).append(...weekdays.map((day, place) => {
    const box = make("input", "");
    Object.assign(box, { type: "checkbox", id: `${id}-${day}` });
    return make("label", "check", box, dayNames[place]);
  }));
};

/** @type {(told: string | undefined) => void} */
export const showZone = (told) => {
  zone = told || "";
  put(at("zone"), `Time zone: ${zoneWords(told)}`);
};
const showZoneForm = (visible) => {
  show(at("zone-form"), visible);
  show(at("zone-change"), !visible);
  at("zone-change").setAttribute("aria-expanded", String(visible));
};
const showOwnZone = () => show(at("zone-own-field"), at("zone-choice").value === "");
const openZone = () => {
  const known = commonZones.some(([text]) => text === (zone || "UTC0"));
  at("zone-choice").value = known ? zone || "UTC0" : "";
  at("zone-zone").value = zone;
  put(at("zone-result"), "");
  tellProblems("zone", ["zone"], {});
  showOwnZone();
  showZoneForm(true);
  at("zone-choice").focus();
};
const closeZone = () => {
  showZoneForm(false);
  at("zone-change").focus();
};

// - Parameter askTracker: Sends a request.
export const prepareAlarmForm = (askTracker) => {
  ask = askTracker;
  fillChoice("alarm-trigger", triggers);
  makeDays("alarm-days", [...dayChoices, ["date", "Once, on a date"]]);
  makeDays("alarm-windowDays", dayChoices);
  const form = at("alarm-form");
  form.addEventListener("change", showFields);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (at("alarm-save").disabled) return;
    if (await sendForm("alarm", fields, alarmRequest(number, readForm()), ask)) close();
  });
  at("alarm-cancel").addEventListener("click", close);
  fillChoice("zone-choice", [...commonZones.map(([text, words]) => [text, words]), ["", "Other"]]);
  at("zone-change").addEventListener("click", openZone);
  at("zone-cancel").addEventListener("click", closeZone);
  at("zone-choice").addEventListener("change", showOwnZone);
  at("zone-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const made = zoneRequest(at("zone-choice").value || at("zone-zone").value);
    if (!at("zone-save").disabled && await sendForm("zone", ["zone"], made, ask)) closeZone();
  });
};
