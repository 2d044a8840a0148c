/** What a CLI asks a person for, as one line that fits a list. Pure. */
const LONGEST = 200;

/** At most 200 characters; white space and line ends become one blank. */
export const oneLine = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  const points = [...line];
  return points.length > LONGEST ? `${points.slice(0, LONGEST - 1).join("")}…` : line;
};
