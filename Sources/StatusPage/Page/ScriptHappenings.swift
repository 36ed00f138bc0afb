extension PageSource {
  /// Events and packets in words, and the dialogue with the modem.
  static let happenings = #"""
    const grounds = (event) => {
      const parts = [];
      if (event.detector) parts.push(`${event.detector} at ${fixed(event.ratio, 1)} × its threshold`);
      if (isNumber(event.tilt)) parts.push(`tilted by ${fixed(event.tilt, 0)}°`);
      if (isNumber(event.turn)) parts.push(`turned by ${fixed(event.turn, 0)}°`);
      if (isNumber(event.displacement)) parts.push(`${metres(event.displacement)} from its place`);
      return parts.length ? `: ${parts.join(", ")}` : "";
    };
    const eventWords = {
      rideStarted: () => "Ride started",
      standing: (event) => (event.cause === "silence" ? "Stands: no fixes come any more" : "Stands"),
      resumed: () => "The ride goes on",
      travelledUnseen: (event) => `Travelled ${isNumber(event.distance) ? `${metres(event.distance)} ` : ""}without being seen`,
      parked: () => "Parked",
      armed: () => "Armed: movement raises an alert from now on",
      disarmed: () => "Disarmed",
      suspicious: (event) => `Suspicious${grounds(event)}`,
      calmed: () => "Calm again",
      movement: (event) => `Alarm${grounds(event)}`,
      quiet: (event) => `Quiet again${isNumber(event.displacement) ? `, ${metres(event.displacement)} from where it was` : ""}`,
      fixAcquired: (event) => `Position found${isNumber(event.after) ? ` after ${span(event.after)}` : ""}`,
      fixLost: () => "Position lost",
      dismissed: (event) => `Alert ${event.alert} dismissed by the owner`,
      liveTracking: () => "Live tracking",
      settingChanged: (event) => `Setting changed: ${event.setting} ${event.value}`,
      packetRefused: (event) => `Outbox full of alerts: ${packetName(event.packet)} refused`,
      restored: (event) => `Started again: ${event.phase}, ${count(event.packets, "packet waits", "packets wait")}`,
      stateDamaged: (event) => {
        const parts = [];
        if (event.sections.length) parts.push(`lost: ${event.sections.join(", ")}`);
        if (event.packets) parts.push(`${count(event.packets, "packet", "packets")} lost, of them ${count(event.alerts, "alert", "alerts")}`);
        if (event.setBack) parts.push("it is older than its mark");
        return `What was kept is damaged: ${parts.join("; ") || "nothing was lost"}`;
      },
    };
    const isGrave = (event) => event === "movement" || event === "packetRefused" || event === "stateDamaged";
    const happeningWords = (happening) => {
      let content;
      try {
        content = JSON.parse(happening.json);
      } catch {
        return ["", happening.json];
      }
      if (happening.what === "packet") {
        const text = `Packet ${content.sequence}: ${packetName(content.type)}`;
        return [content.type === "movement" ? "alert" : "packet", text];
      }
      const words = Object.hasOwn(eventWords, content.event) ? eventWords[content.event](content) : String(content.event);
      return [isGrave(content.event) ? "alert" : "", words];
    };
    let happeningsShown = "";
    const showHappenings = () => {
      const list = at("happenings");
      const newest = known.happenings.slice(-100).reverse();
      show(at("no-happenings"), newest.length === 0);
      show(list, newest.length > 0);
      // Times of day change only when the time becomes known; without it, ages are shown.
      const hasTime = dateOf(0) !== null;
      const state = `${hasTime} ${newest.length ? newest[0].n : 0} ${newest.length}`;
      if (hasTime && state === happeningsShown) return;
      happeningsShown = state;
      fillList(list, newest, () => make("li", "", make("time"), make("span")), (row, happening) => {
        const [className, words] = happeningWords(happening);
        const date = dateOf(happening.t);
        put(row.children[0], date ? timeOfDay(date) : span(trackerNow() - happening.t));
        row.children[0].title = ago(trackerNow() - happening.t);
        row.children[1].className = className;
        put(row.children[1], words);
      });
    };

    let lineShown = 0;
    const showDialogue = () => {
      const list = at("dialogue");
      show(at("no-dialogue"), known.lines.length === 0);
      show(list, known.lines.length > 0);
      if (known.lines.length === 0) {
        list.replaceChildren();
        lineShown = 0;
        return;
      }
      const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 30;
      for (const line of known.lines) {
        if (line.n <= lineShown) continue;
        const date = dateOf(line.t);
        list.append(make("div", line.out ? "out" : "in",
          make("span", "", date ? timeOfDay(date) : fixed(line.t, 1)),
          make("span", "", line.out ? "→" : "←"), make("span", "", line.text)));
        lineShown = line.n;
      }
      while (list.children.length > 500) list.firstElementChild.remove();
      if (isAtEnd) list.scrollTop = list.scrollHeight;
    };

    """#
}
