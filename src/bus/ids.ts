/**
 * Names of things on the bus. Ids are made outside (the bus knows no randomness) and checked at the edges.
 * A terminal or delivery id is safe inside a tmux line: letters, digits, `_` and `-`, 1-64 characters.
 */
declare const brand: unique symbol;
type Branded<T, B extends string> = T & { readonly [brand]: B };

export type TerminalId = Branded<string, "TerminalId">;
/** One message on its way to one terminal; also the id of its trail entry. */
export type DeliveryId = Branded<string, "DeliveryId">;
/** One call of a sender that is waiting for an outcome. */
export type CallId = Branded<string, "CallId">;

const SAFE_ID = /^[A-Za-z0-9_-]{1,64}$/;

export const isSafeId = (text: string): boolean => SAFE_ID.test(text);

export const terminalId = (text: string): TerminalId => {
  if (!isSafeId(text)) throw new RangeError(`not a terminal id: ${JSON.stringify(text)}`);
  return text as TerminalId;
};

export const deliveryId = (text: string): DeliveryId => {
  if (!isSafeId(text)) throw new RangeError(`not a delivery id: ${JSON.stringify(text)}`);
  return text as DeliveryId;
};

export const callId = (text: string): CallId => {
  if (!isSafeId(text)) throw new RangeError(`not a call id: ${JSON.stringify(text)}`);
  return text as CallId;
};

/** Fails to compile when a switch over `kind` forgets a case. */
export const assertNever = (value: never): never => {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
};
