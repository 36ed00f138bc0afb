// The ride that is under way or the last, the rides before it, gear, and the pet.

import { at, fillFacts, fillList, make, put, show } from "./dom.js";
import { fixed, isNumber, metres, moment, span } from "./numbers.js";
import { dateOf, known } from "./known.js";
import { activityFacts, counterWords, odometerWords, petWords } from "./words.js";

const day = (text) => (text ? moment(new Date(text), dateOf(known.now) || new Date()) : "–");
const speed = (value) => `${fixed(value * 3.6, 1)} km/h`;
const tripFacts = (trip) => {
  const facts = [["Distance", metres(trip.distanceMetres)], ["Moving", `${span(trip.movingSeconds)} of ${span(trip.durationSeconds)}`]];
  if (isNumber(trip.meanMetresPerSecond)) facts.push(["Mean speed", speed(trip.meanMetresPerSecond)]);
  if (isNumber(trip.topMetresPerSecond)) facts.push(["Top speed", speed(trip.topMetresPerSecond)]);
  if (isNumber(trip.climbMetres)) facts.push(["Climb", `${fixed(trip.climbMetres, 0)} ± ${fixed(trip.climbUncertaintyMetres || 0, 0)} m`]);
  if (isNumber(trip.carriedMetres)) facts.push(["Carried", metres(trip.carriedMetres)]);
  return facts;
};
export const showRides = (status) => {
  const { trip } = status;
  put(at("ride-state"), trip ? (trip.isUnderWay ? "Under way" : "The last") : "");
  at("ride-state").className = trip && trip.isUnderWay ? "tag good" : "tag";
  const begun = trip && trip.start ? `since ${day(trip.start)}` : "under way";
  const over = trip && trip.start ? `${day(trip.start)} to ${day(trip.end)}` : "The last ride";
  put(at("ride-words"), trip ? (trip.isUnderWay ? `Riding ${begun}` : over) : "No ride yet");
  fillFacts(at("ride-facts"), [...(trip ? tripFacts(trip) : []), ["Odometer", odometerWords(status, day)]]);
  const rides = status.rides || [];
  show(at("rides"), rides.length > 0);
  fillList(at("rides-rows"), rides, () => make("tr", "", make("td"), make("td"), make("td"), make("td"), make("td")), (row, ride) => {
    const cells = [String(ride.number), day(ride.start), metres(ride.distanceMetres), span(ride.movingSeconds), ride.gear || "–"];
    cells.forEach((text, place) => put(row.children[place], text));
  });
};
export const showGear = (status) => {
  const items = (status.gear && status.gear.items) || [];
  show(at("gear-card"), items.length > 0);
  const makeRow = () => make("li", "", make("div", "device-head", make("b"), make("span", "device-state")), make("ul", "counters"));
  fillList(at("gear"), items, makeRow, (row, item) => {
    row.className = item.isPresent ? "good" : "";
    const [head, counters] = row.children;
    put(head.children[0], item.name);
    put(head.children[1], `${item.isPresent ? "present, " : ""}${metres(item.distanceMetres)}, ${span(item.movingSeconds)} moving`);
    fillList(counters, item.counters, () => make("li"), (line, counter) => {
      line.className = counter.isDue ? "problem" : "";
      put(line, counterWords(counter));
    });
  });
};
export const showPet = (status) => {
  show(at("pet-card"), Boolean(status.profile || status.activity));
  put(at("pet-words"), status.profile ? petWords(status.profile) : "No profile");
  fillFacts(at("pet-facts"), activityFacts(status.activity));
};
