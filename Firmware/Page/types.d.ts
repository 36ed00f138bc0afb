// What the module writes, and what the page makes of it. Times are seconds of the tracker's clock.

// What a run of the module has written, as bytes, and its exit code.
export interface Run { code: number; output: Uint8Array; report: Uint8Array; course: Uint8Array }

// What came of a run, by the lines of its report.
export interface Report {
  trouble?: string;
  inputs: number;
  events: number;
  packets: number;
  kept: number;
  outputHash: string;
  stateHash: string;
  damagedStretches: number;
  overlongRecords: number;
  cutOffAtByte?: number;
}

// An event or a packet; `utc` as the tracker wrote it, if it knew.
export interface Item { t: number; utc?: string; what: "event" | "packet"; name: string; json: string; content: any }

export interface Span { from: number; to: number }
export interface PhaseSpan extends Span { phase: string }
export interface Ride extends Span { isOpen: boolean }
export interface SpeedPoint { t: number; speed: number }
// Something at one moment: an alert is grave, a suspicion is not.
export interface Mark { t: number; isGrave: boolean; words: string }

export interface Story {
  start: number;
  end: number;
  // What is added to a time to have UTC, s since 1970; null as long as nobody knows.
  utcOffset: number | null;
  items: Item[];
  phases: PhaseSpan[];
  rides: Ride[];
  armed: Span[];
  marks: Mark[];
  speeds: SpeedPoint[];
}

// A line of the list: an item, or several packets of a place in one.
export interface Row { t: number; utc?: string; kind: string; words: string }

// An element of the drawing: its name, its attributes, and its text.
export type Shape = [string, Record<string, string | number>, string?];
export interface Drawing { height: number; shapes: Shape[] }
