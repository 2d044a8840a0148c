/** Times as text: RFC 3339 with any offset in, UTC with milliseconds out. It reads no clock. */

const FORM = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const isIn = (value: number, least: number, most: number): boolean => value >= least && value <= most;

const daysIn = (year: number, month: number): number => new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

/**
 * Milliseconds since the epoch, rounded down; null when the text is no RFC 3339 date-time. A leap second (:60) is the moment
 * after :59, as in POSIX time.
 */
export const momentOf = (text: string): number | null => {
  const found = FORM.exec(text);
  if (found === null) return null;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const isDate = isIn(month, 1, 12) && isIn(day, 1, daysIn(year, month));
  if (!isDate || !isIn(hour, 0, 23) || !isIn(minute, 0, 59) || !isIn(second, 0, 60)) return null;
  const [fraction = "", sign = "+", offsetHours = "0", offsetMinutes = "0"] = found.slice(7);
  if (!isIn(Number(offsetHours), 0, 23) || !isIn(Number(offsetMinutes), 0, 59)) return null;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === "-" ? -1 : 1);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute - offset, second, Number(fraction.slice(0, 3).padEnd(3, "0")));
  return date.getTime();
};

export const wordMoment = (at: number): string => new Date(at).toISOString();
export const wordMomentOrNull = (at: number | null): string | null => (at === null ? null : wordMoment(at));
