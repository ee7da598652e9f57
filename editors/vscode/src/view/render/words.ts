/** Numbers and times, as a person reads them in a narrow view. Pure. */
import type { UsageUpdate } from "../../contract";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago something was; empty if the time is not known. */
export function ago(iso: string | null, now: number): string {
  const then = iso === null ? NaN : Date.parse(iso);
  if (Number.isNaN(then)) {
    return "";
  }
  const since = now - then;
  if (since < MINUTE) {
    return "now";
  }
  if (since < HOUR) {
    return `${Math.floor(since / MINUTE)} min`;
  }
  if (since < DAY) {
    return `${Math.floor(since / HOUR)} h`;
  }
  return since < 30 * DAY
    ? `${Math.floor(since / DAY)} d`
    : new Date(then).toISOString().slice(0, 10);
}

/** A number of tokens, shortened. */
export function tokens(count: number): string {
  if (count < 1000) {
    return String(count);
  }
  return count < 1_000_000
    ? `${(count / 1000).toFixed(count < 10_000 ? 1 : 0)}k`
    : `${(count / 1_000_000).toFixed(1)}M`;
}

/** How full the context is, and what the session has cost. */
export interface UsageLook {
  /** From 0 to 1. */
  readonly share: number;
  readonly label: string;
  readonly detail: string;
}

export function usageLook(usage: UsageUpdate): UsageLook {
  const share = usage.size > 0 ? Math.min(1, Math.max(0, usage.used / usage.size)) : 0;
  const cost = usage.cost === undefined ? "" : ` · ${price(usage.cost)}`;
  const { used, size } = usage;
  const spent = cost === "" ? "" : `, ${cost.slice(3)} so far`;
  return {
    share,
    label: `${tokens(used)} / ${tokens(size)}${cost}`,
    detail: `${used.toLocaleString("en")} of ${size.toLocaleString("en")} tokens of context${spent}`,
  };
}

function price({ amount, currency }: { amount: number; currency: string }): string {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency }).format(amount);
  } catch {
    return `${amount.toFixed(2)} ${currency}`; // no currency that is known
  }
}

/** How many entries of a plan are done. */
export function planDone(entries: readonly { readonly status: string }[]): number {
  return entries.filter((entry) => entry.status === "completed").length;
}

/** A count with its noun. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
