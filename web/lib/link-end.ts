// When an unlisted link ends: after so many days, with a day, or never. Pure.

export const DAYS = [1, 7, 30, 90] as const;
const DAY_MS = 86_400_000;

/** `7`: in a week; `2030-01-31`: with that day, where the person is; `never`. Null: it has no end; undefined: no such day. */
export function endOf(choice: string, now: number): string | null | undefined {
  if (choice === 'never') return null;
  if (/^\d{1,2}$/.test(choice)) return new Date(now + Number(choice) * DAY_MS).toISOString();
  const day = /^\d{4}-\d\d-\d\d$/.test(choice) ? new Date(`${choice}T23:59:59`) : undefined;
  return day === undefined || Number.isNaN(day.getTime()) ? undefined : day.toISOString();
}
