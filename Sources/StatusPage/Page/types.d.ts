// What the tracker answers, as far as the page looks at it. `BoardStatus` in Sources/LinuxRuntime/Status says more of each field.

export interface Place {
  latitudeDegrees: number;
  longitudeDegrees: number;
  ageSeconds: number;
  isStale: boolean;
  accuracyMetres?: number;
  speedMetresPerSecond?: number;
  courseDegrees?: number;
  altitudeMetres?: number;
  satellites?: number;
}

export interface Fact {
  name: string;
  value: string;
}

export interface Device {
  name: string;
  state: string;
  reason?: string;
  retryInSeconds?: number;
  hertz?: number;
  inputs?: number;
  lastInputSeconds?: number;
  failures?: number;
  facts?: Fact[];
}

export interface Waiting {
  sequence: number;
  kind: string;
  attempts: number;
  ageSeconds?: number;
}

export interface Outbox {
  capacity: number;
  waiting: Waiting[];
  acknowledged: number;
  retries: number;
  spooled?: number;
  thinned?: number;
  evicted?: number;
  refused?: number;
}

export interface LastAlert {
  number: number;
  ageSeconds?: number;
  detector: string;
  ratio: number;
  repetitions: number;
  outcome: string;
  outcomeSeconds?: number;
}

export interface Asked {
  ageSeconds: number;
  channel: string;
  request?: string;
  number?: number;
  answer?: string;
  refused?: string;
  times?: number;
}

export interface Corner { latitudeDegrees: number; longitudeDegrees: number }

export interface Fence {
  number: number;
  name: string;
  isActive: boolean;
  presence: string;
  shape: string;
  widthMetres?: number;
  rings: { corners: Corner[] }[];
}

export interface SecurePlace {
  number: number;
  name: string;
  latitudeDegrees: number;
  longitudeDegrees: number;
  radiusMetres: number;
  isHere: boolean;
}

export interface AlarmRule {
  number: number;
  label: string;
  isEnabled: boolean;
  rule: string;
  next?: string;
  nextSeconds?: number;
  isSnoozed: boolean;
}

export interface Rules {
  fences: Fence[];
  state: string;
  openAlert?: number;
  placeQuestion?: number;
  places: SecurePlace[];
  alarms: AlarmRule[];
  timeZone?: string;
  problems: string[];
}

export interface Activity {
  steps: number;
  activeMinutes: number;
  restMinutes: number;
  measuredMinutes: number;
  usualMinutes?: number;
  knownDays: number;
}

export interface Profile {
  name: string;
  kind: string;
  ageYears?: number;
  birthday?: string;
  weightKilograms?: number;
  colour?: string;
  note?: string;
}

export interface ServiceCounter {
  name: string;
  counts: string;
  value: number;
  due: number;
  isDue: boolean;
}

export interface GearItem {
  name: string;
  kind: string;
  isPresent: boolean;
  distanceMetres: number;
  movingSeconds: number;
  counters: ServiceCounter[];
}

export interface Trip {
  isUnderWay: boolean;
  start?: string;
  end?: string;
  distanceMetres: number;
  durationSeconds: number;
  movingSeconds: number;
  meanMetresPerSecond?: number;
  topMetresPerSecond?: number;
  climbMetres?: number;
  climbUncertaintyMetres?: number;
  carriedMetres?: number;
}

export interface Ride {
  number: number;
  start?: string;
  end?: string;
  distanceMetres: number;
  movingSeconds: number;
  gear?: string;
}

export interface Status {
  version: string;
  trackerID: string;
  utc?: string;
  phase: string;
  isArmed: boolean;
  alertsEnabled: boolean;
  isDisabled?: boolean;
  lastAlert?: number;
  alert?: LastAlert;
  parkedSeconds?: number;
  liveSeconds?: number;
  rules?: Rules;
  profile?: Profile;
  gear?: { present?: string; distanceMetres?: number; due: string[]; items?: GearItem[] };
  trip?: Trip;
  rides?: Ride[];
  activity?: Activity;
  requests: Asked[];
  pageTakesRequests: boolean;
  movementEvidence?: number;
  tiltSinceParkingDegrees?: number;
  position?: Place;
  odometerMetres: number;
  odometer?: {
    source: "measured" | "imported" | "corrected";
    uncertaintyMetres: number;
    change?: { beforeMetres: number; afterMetres: number; time?: string; request?: number };
  };
  lastRideMetres: number;
  outbox: Outbox;
  sensors: Device[];
  uplinks: Device[];
  counters: Fact[];
  store: {
    path: string;
    commits: number;
    failures: number;
    unkept: number;
    longestCommitMilliseconds: number;
    problem?: string;
    remark?: string;
  };
  recording?: { folder: string; file?: string; bytes: number; removed?: number; lost?: number; problem?: string };
  process: {
    id: number;
    uptimeSeconds: number;
    cpuSeconds: number;
    residentKibibytes: number;
    turns: number;
    longestTurnMilliseconds: number;
  };
}

// Entries are numbered by `n`; `t` is the time on the tracker's clock, s.
export interface TrackPoint { n: number; t: number; lat: number; lon: number; phase: string }
export interface CurvePoint { n: number; t: number; evidence?: number; rate?: number; force?: number }
export interface Happening { n: number; t: number; what: string; json: string }
export interface Line { n: number; t: number; out: boolean; text: string }

export interface Known {
  status: Status | null;
  received: number;
  now: number;
  after: number;
  dialogueAfter: number;
  track: TrackPoint[];
  curve: CurvePoint[];
  happenings: Happening[];
  lines: Line[];
  fences: any[];
}

export type XY = [number, number];
export interface LatLon { lat: number; lon: number }
export interface Shape { number?: number; name: string; isActive: boolean; rings: XY[][]; widthMetres?: number }

// A fence or a secure place while it is being edited; name and width as they are typed.
export interface Outline {
  table: string;
  number: number;
  name: string;
  kind: string;
  width: string;
  rings: LatLon[][];
  isHere: boolean;
  isNew: boolean;
}

// The fields of an alarm's form, as they are typed.
export interface AlarmForm {
  label: string;
  trigger: string;
  time: string;
  days: string;
  some: string[];
  date: string;
  minutes: string;
  where: string;
  fence: string;
  noFix: string;
  hasWindow: boolean;
  from: string;
  to: string;
  windowDays: string;
  windowSome: string[];
  sound: string;
  snooze: string;
  isEnabled: boolean;
}

// A request, or what is wrong by field; then `text` is empty.
export interface Made { text: string; problems: Record<string, string> }

// What became of a request.
export interface Asking { isDone: boolean; words: string }
export interface View { mode: string; x: number; y: number; scale: number; origin: { lat: number; lon: number; narrow: number } | null }
