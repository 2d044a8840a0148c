/** What a person's words find. Pure: every word has to stand in one of the fields, in any case. */

export const matches = (query: string, fields: readonly (string | null)[]): boolean => {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const texts = fields.flatMap((field) => (field === null ? [] : [field.toLowerCase()]));
  return words.every((word) => texts.some((text) => text.includes(word)));
};
