/** How fresh the highlight of an agent's lines is. Pure. */
import type { PresencePayload } from "../../contract";

/** Steps from fresh (0) to faint, which stays as long as the agent is there. */
export const STEPS = 5;

/** Colours that agents have; with more sessions than colours they are used again. */
export const COLOURS = 6;

/** How much of the colour the highlight has at each step, in percent. */
export const STRENGTHS: readonly number[] = [34, 26, 19, 13, 8];

/** Identifies a place, so that its highlight starts to fade when the agent comes there. */
export function placeKey(place: PresencePayload): string {
  const { start, end } = place.range;
  return [place.sessionId, place.path, start.line, end.line].join(" ");
}

/** The step of a place that was come to so many milliseconds ago. */
export function stepOf(age: number, fade: number): number {
  return fade <= 0 ? STEPS - 1 : Math.min(STEPS - 1, Math.floor((age * STEPS) / fade));
}

/** The colour of a session, from 0. */
export function colourOf(colour: number): number {
  return ((colour % COLOURS) + COLOURS) % COLOURS;
}

/** For each place when it was first seen: those that stay keep their time. */
export function arrivals(
  places: readonly PresencePayload[],
  before: ReadonlyMap<string, number>,
  now: number,
): Map<string, number> {
  return new Map(places.map((place) => [placeKey(place), before.get(placeKey(place)) ?? now]));
}
