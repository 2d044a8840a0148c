/** Finds a port of 127.0.0.1 that nobody listens on, for a CLI whose server has to be told one. */
import { createServer } from "node:net";

/** Handed out and perhaps not listened on yet: two starts at the same time must not get the same one. */
const handedOut: number[] = [];
const REMEMBERED = 64;

const askSystem = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });

export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = await askSystem();
    if (port === 0 || handedOut.includes(port)) continue;
    handedOut.push(port);
    if (handedOut.length > REMEMBERED) handedOut.shift();
    return port;
  }
};
