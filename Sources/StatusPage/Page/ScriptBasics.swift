extension PageSource {
  /// Places of the document, what is known, and numbers as people read them. Everything shown goes through `textContent`.
  static let basics = #"""
    const at = (id) => document.getElementById(id);
    const body = document.body;
    body.dataset.errors = "0";
    const countError = (what) => {
      body.dataset.errors = String(Number(body.dataset.errors) + 1);
      body.dataset.error = String(what);
    };
    addEventListener("error", (event) => countError(event.message || "file not loaded"), true);
    addEventListener("unhandledrejection", (event) => countError(event.reason));

    // What the tracker told, and when by this browser's clock.
    const known = {
      status: null, received: 0, now: 0, after: 0, dialogueAfter: 0,
      track: [], curve: [], happenings: [], lines: [], fences: [],
    };

    // Changes a text only when it differs, so that selections live on and screen readers are told once.
    const put = (place, text) => {
      if (place.textContent !== text) place.textContent = text;
    };
    const show = (place, visible) => {
      if (place.hidden === visible) place.hidden = !visible;
    };
    const make = (name, className, ...children) => {
      const element = document.createElement(name);
      if (className) element.className = className;
      element.append(...children);
      return element;
    };
    // Brings a list to one child for each item: new ones are made, each is filled.
    const fillList = (list, items, makeOne, fillOne) => {
      while (list.children.length > items.length) list.lastElementChild.remove();
      while (list.children.length < items.length) list.append(makeOne());
      items.forEach((item, place) => fillOne(list.children[place], item));
    };
    const fillFacts = (list, facts) => {
      const cells = facts.flatMap(([name, value, problem]) => [["dt", name], ["dd", value, problem]]);
      const kinds = [...list.children].map((child) => child.localName).join();
      if (kinds !== cells.map(([kind]) => kind).join()) list.replaceChildren(...cells.map(([kind]) => make(kind)));
      cells.forEach(([, text, problem], place) => {
        put(list.children[place], text);
        list.children[place].className = problem ? "problem" : "";
      });
    };

    const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
    const fixed = (value, digits) => {
      const text = Math.abs(value).toFixed(digits);
      return (value < 0 && Number(text) !== 0 ? "−" : "") + text;
    };
    const grouped = (value) => fixed(value, 0).replace(/\B(?=(\d{3})+$)/g, "\u202f");
    const count = (number, one, many) => `${grouped(number)} ${number === 1 ? one : many}`;
    const metres = (value) => (value < 9.95 ? `${fixed(value, 1)} m` : value < 9950 ? `${fixed(value, 0)} m`
      : value < 99500 ? `${fixed(value / 1000, 1)} km` : `${grouped(value / 1000)} km`);
    const bytes = (value) => (value < 1000 ? `${value} B` : value < 999500 ? `${fixed(value / 1000, 0)} kB`
      : value < 999.5e6 ? `${fixed(value / 1e6, 1)} MB` : `${fixed(value / 1e9, 2)} GB`);
    const span = (seconds) => {
      const s = Math.max(0, seconds);
      if (s < 9.95) return `${fixed(s, 1)} s`;
      if (s < 119.5) return `${fixed(s, 0)} s`;
      if (s < 5400) return `${Math.floor(s / 60)} min`;
      if (s < 172800) return `${Math.floor(s / 3600)} h ${Math.floor((s % 3600) / 60)} min`;
      return `${Math.floor(s / 86400)} days`;
    };
    const ago = (seconds) => (seconds < 1.5 ? "just now" : `${span(seconds)} ago`);
    const timeOfDay = (date) => date.toISOString().slice(11, 19);
    const degrees = (value, positive, negative) => `${Math.abs(value).toFixed(6)}° ${value < 0 ? negative : positive}`;
    const compass = (course) => ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][Math.round(course / 45) % 8];

    // Seconds on the tracker's clock, as far as it can be told from here.
    const trackerNow = () => known.now + (performance.now() - known.received) / 1000;
    // The time of day of an instant of the tracker's clock; null while it does not know the time.
    const dateOf = (t) => {
      const utc = known.status && known.status.utc ? Date.parse(known.status.utc) : NaN;
      return Number.isNaN(utc) ? null : new Date(utc + (t - known.now) * 1000);
    };
    const phases = ["starting", "riding", "settling", "parked", "suspicious", "alarmed"];
    let palette = {};
    const readPalette = () => {
      const style = getComputedStyle(document.documentElement);
      for (const name of [...phases, "ink", "soft", "line", "grid", "card", "bad", "link", "fence", "map"]) {
        palette[name] = style.getPropertyValue(`--${name}`).trim();
      }
    };
    const colourOf = (phase) => palette[phases.includes(phase) ? phase : "starting"];

    """#

  /// Canvases in the screen's own pixels.
  static let view = #"""
    // Gives a canvas its size on the screen; null while it is not to be seen.
    const surface = (canvas) => {
      const width = canvas.clientWidth, height = canvas.clientHeight;
      if (!width || !height) return null;
      const ratio = window.devicePixelRatio || 1;
      const w = Math.round(width * ratio), h = Math.round(height * ratio);
      if (canvas.width !== w || canvas.height !== h) {
        canvas.width = w;
        canvas.height = h;
      }
      const pen = canvas.getContext("2d");
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.clearRect(0, 0, width, height);
      pen.font = "12px system-ui, sans-serif";
      pen.lineJoin = "round";
      pen.lineCap = "round";
      return { pen, width, height };
    };
    // 1, 2 or 5 times a power of ten, at least the value.
    const niceAbove = (value) => {
      const power = 10 ** Math.floor(Math.log10(value));
      return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value * 0.999);
    };
    // Text with an edge in the ground's colour, to be read over lines.
    const label = (pen, text, x, y, colour, ground) => {
      pen.lineWidth = 4;
      pen.strokeStyle = ground;
      pen.strokeText(text, x, y);
      pen.fillStyle = colour;
      pen.fillText(text, x, y);
    };

    """#

  /// Names of phases and packets in words.
  static let words = #"""
    const meanings = {
      starting: "Has not seen a fix or a movement yet",
      riding: "On the way",
      settling: "Stands; not parked yet",
      parked: "Stands where it was parked",
      suspicious: "Something moved; not confirmed yet",
      alarmed: "It is being moved",
    };
    const packetNames = {
      location: "Location", parking: "Parking place", movement: "Movement alert", ride: "Ride", status: "Status",
    };
    const packetName = (kind) => packetNames[kind] || String(kind);

    """#
}
