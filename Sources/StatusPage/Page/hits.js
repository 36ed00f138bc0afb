// What of an outline lies under a finger or a cursor, on the plane of the screen.

// The place of the nearest point within reach; -1 for none.
/** @type {(points: import("./types").XY[], at: import("./types").XY, reach: number) => number} */
export const pointAt = (points, [x, y], reach) => {
  let nearest = -1, least = reach;
  points.forEach((point, place) => {
    const distance = Math.hypot(point[0] - x, point[1] - y);
    if (distance > least) return;
    [nearest, least] = [place, distance];
  });
  return nearest;
};

// How far a point is from the way between two others.
/** @type {(at: import("./types").XY, from: import("./types").XY, to: import("./types").XY) => number} */
export const distanceToEdge = ([x, y], [ax, ay], [bx, by]) => {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const part = length ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length)) : 0;
  return Math.hypot(ax + part * dx - x, ay + part * dy - y);
};

// The point behind which the nearest edge within reach begins; -1 for none. A closed outline goes back to where it began.
/** @type {(points: import("./types").XY[], isClosed: boolean, at: import("./types").XY, reach: number) => number} */
export const edgeAt = (points, isClosed, at, reach) => {
  let nearest = -1, least = reach;
  points.forEach((point, place) => {
    if (place + 1 === points.length && !(isClosed && points.length > 2)) return;
    const distance = distanceToEdge(at, point, points[(place + 1) % points.length]);
    if (distance > least) return;
    [nearest, least] = [place, distance];
  });
  return nearest;
};
