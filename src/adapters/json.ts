/**
 * What a CLI says of itself, as JSON that nobody vouches for: read key by key, and what has another form than expected
 * counts as missing. Knows no CLI. Pure; throws on nothing.
 */

export type Json = Readonly<Record<string, unknown>>;

/** An object; a list is none. */
export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The object that this is; an empty one when it is none. */
export const jsonOf = (value: unknown): Json => (isJson(value) ? value : {});

/** The objects of a list, in its order; none when it is no list. */
export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isJson) : []);

/** The object under this key; an empty one when there is none. */
export const jsonIn = (value: Json, key: string): Json => jsonOf(value[key]);

/** The text under this key; "" when there is none. */
export const textIn = (value: Json, key: string): string => {
  const found = value[key];
  return typeof found === "string" ? found : "";
};

/** The id under this key; null when there is none, or an empty one. */
export const idIn = (value: Json, key: string): string | null => textIn(value, key) || null;
