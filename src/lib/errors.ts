/** A fault of the outside world that an edge met: a code for programs, a sentence with advice for people. */
export class QuayError extends Error {
  override readonly name = "QuayError";
  readonly code: string;
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;

  constructor(
    code: string,
    message: string,
    options: {
      readonly facts?: Readonly<Record<string, string | number | boolean | null>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.facts = options.facts ?? {};
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
