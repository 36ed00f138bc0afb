// Alarms: the words of a rule, as the tracker tells it, into the fields of a form, and back into a request.

import { nameProblem } from "./ruletext.js";

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const sets = { weekdays: "mon,tue,wed,thu,fri", weekend: "sat,sun", daily: weekdays.join(",") };
/** What makes it ring, in plain words. */
export const triggers = [
  ["at", "At a time"],
  ["arrive", "When it comes to a fence"],
  ["leave", "When it leaves a fence"],
  ["stay", "When it has been in a fence for some time"],
  ["quiet", "Never: quiet hours, other alarms do not sound"],
  ["guard", "Never: movement of the parked vehicle is an alert only then"],
];
// Whether an alarm of that trigger is about a fence in any case, and whether it ever rings.
export const needsFence = (trigger) => ["arrive", "leave", "stay"].includes(trigger);
export const rings = (trigger) => !["quiet", "guard"].includes(trigger);

/** @type {() => import("./types").AlarmForm} */
export const newAlarm = () => ({
  label: "", trigger: "at", time: "07:30", days: "daily", some: [], date: "", minutes: "30", where: "", fence: "", noFix: "last",
  hasWindow: false, from: "08:00", to: "18:00", windowDays: "daily", windowSome: [], sound: "30", snooze: "10", isEnabled: true,
});
const isDate = (word) => /^\d{4}-\d\d-\d\d$/.test(word || "");
const isTime = (word) => /^([01]\d|2[0-3]):[0-5]\d$/.test(word || "");
const listed = (word) => (word || "").split(",").every((day) => weekdays.includes(day));

// A word of days as a choice and the days of their own; null when it is none.
const daysOf = (word) => {
  if (Object.hasOwn(sets, word || "")) return [word, []];
  const some = weekdays.filter((day) => (word || "").split(",").includes(day));
  if (!listed(word) || some.length === 0) return null;
  const known = Object.entries(sets).find(([, days]) => days === some.join(","));
  return known ? [known[0], []] : ["some", some];
};

// The fields that a rule stands for; null when it is of a kind that this page does not know.
/** @type {(alarm: { label: string, isEnabled: boolean, rule: string }) => import("./types").AlarmForm | null} */
export const formOf = ({ label, isEnabled, rule }) => {
  const form = { ...newAlarm(), label, isEnabled };
  const words = rule.split(" ").filter(Boolean);
  const next = () => words.shift() || "";
  form.trigger = next();
  if (!triggers.some(([trigger]) => trigger === form.trigger)) return null;
  if (form.trigger === "stay") form.minutes = next();
  if (form.trigger === "at") {
    form.time = next();
    const days = daysOf(words[0]);
    if (isDate(words[0])) Object.assign(form, { days: "date", date: next() });
    else if (days) [form.days, form.some] = (next(), days);
  }
  while (words.length) {
    const option = next();
    if (option === "inside" || option === "outside") Object.assign(form, { where: option, fence: next() });
    else if (option === "nofix") form.noFix = next();
    else if (option === "sound") form.sound = next();
    else if (option === "snooze") form.snooze = next();
    else if (option === "from") {
      Object.assign(form, { hasWindow: true, from: next() });
      if (next() !== "to") return null;
      form.to = next();
      const days = daysOf(words[0]);
      if (days) [form.windowDays, form.windowSome] = (next(), days);
    } else if (option !== "disabled") return null;
  }
  return form;
};

const whole = (text, least, most) => /^\d{1,5}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most;
const daysText = (days, some) => (days === "some" ? weekdays.filter((day) => some.includes(day)).join(",") : days);
// A date that there is: the browser's own field gives no other, a typed one may be.
const isRealDate = (date) => {
  const instant = new Date(`${date}T00:00:00Z`);
  return isDate(date) && !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(date);
};
const checked = (test, words) => (test ? "" : words);
const timeProblem = (time) => checked(isTime(time), "A time such as 07:30");
const daysProblem = (days, some) => checked(days !== "some" || some.length > 0, "Choose a day");

// What is wrong, by field.
const problemsOf = (form) => {
  const problems = { label: nameProblem(form.label) };
  if (form.trigger === "at") {
    problems.time = timeProblem(form.time);
    problems.days = daysProblem(form.days, form.some);
    problems.date = checked(form.days !== "date" || isRealDate(form.date), "A valid date");
  } else if (form.hasWindow) {
    problems.from = timeProblem(form.from);
    problems.to = timeProblem(form.to);
    problems.windowDays = daysProblem(form.windowDays, form.windowSome);
  }
  if (form.trigger === "stay") problems.minutes = checked(whole(form.minutes, 1, 1440), "Whole minutes from 1 to 1440");
  if (needsFence(form.trigger) || form.where) {
    problems.fence = checked(whole(form.fence, 1, 255), "Choose a fence; draw one first if there is none");
  }
  if (rings(form.trigger)) {
    problems.sound = checked(whole(form.sound, 0, 3600), "Whole seconds from 0 to 3600");
    problems.snooze = checked(whole(form.snooze, 1, 120), "Whole minutes from 1 to 120");
  }
  return Object.fromEntries(Object.entries(problems).filter(([, words]) => words));
};

// What makes an alarm of that number of a form, or what is wrong with it by field.
/** @type {(number: number, form: import("./types").AlarmForm) => import("./types").Made} */
export const alarmRequest = (number, form) => {
  const problems = problemsOf(form);
  if (Object.keys(problems).length) return { text: "", problems };
  const words = [`alarm ${number} set "${form.label.trim()}" ${form.trigger}`];
  if (form.trigger === "stay") words.push(String(Number(form.minutes)));
  if (form.trigger === "at") words.push(form.time, form.days === "date" ? form.date : daysText(form.days, form.some));
  const where = needsFence(form.trigger) ? "inside" : form.where;
  if (where) words.push(where, form.fence);
  if (form.hasWindow && form.trigger !== "at") words.push("from", form.from, "to", form.to, daysText(form.windowDays, form.windowSome));
  if (where && form.noFix !== "last") words.push("nofix", form.noFix);
  if (rings(form.trigger) && Number(form.sound) !== 30) words.push("sound", String(Number(form.sound)));
  if (rings(form.trigger) && Number(form.snooze) !== 10) words.push("snooze", String(Number(form.snooze)));
  if (!form.isEnabled) words.push("disabled");
  return { text: words.join(" "), problems };
};

const dayWords = (days, some) => ({ daily: "every day", weekdays: "Monday to Friday", weekend: "Saturday and Sunday" }[days]
  || some.map((day) => day[0].toUpperCase() + day.slice(1)).join(", "));
// An alarm in plain words; as the tracker tells it when it is of a kind that this page does not know.
/** @type {(alarm: { label: string, isEnabled: boolean, rule: string }, fences: { number: number, name: string }[]) => string} */
export const alarmSentence = (alarm, fences) => {
  const form = formOf(alarm);
  if (!form) return alarm.rule;
  const named = fences.find((fence) => String(fence.number) === form.fence);
  const fence = named ? named.name : `fence ${form.fence}, which is gone`;
  const starts = {
    at: `at ${form.time} ${form.days === "date" ? `on ${form.date}` : dayWords(form.days, form.some)}`,
    arrive: `when it comes to ${fence}`, leave: `when it leaves ${fence}`, stay: `${form.minutes} min in ${fence}`,
    quiet: "quiet: other alarms do not sound", guard: "movement is an alert only then",
  };
  const parts = [starts[form.trigger]];
  if (form.where && !needsFence(form.trigger)) parts.push(`${form.where} ${fence}`);
  const hours = form.from === form.to ? `the whole day from ${form.from}` : `${form.from} to ${form.to}`;
  if (form.hasWindow) parts.push(`${hours} ${dayWords(form.windowDays, form.windowSome)}`);
  if (form.where && form.noFix !== "last") parts.push(form.noFix === "ring" ? "also without a fix" : "not without a fix");
  if (rings(form.trigger) && form.sound !== "30") parts.push(form.sound === "0" ? "silent" : `sounds ${form.sound} s`);
  if (rings(form.trigger) && form.snooze !== "10") parts.push(`snooze ${form.snooze} min`);
  return parts.join(", ");
};
