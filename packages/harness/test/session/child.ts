import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface ChildMessage {
  readonly type: string;
  readonly code?: string;
  readonly failures?: readonly string[];
  readonly rounds?: number;
}

/** How a fixture is to meet its end. Without one it goes on until it is killed. */
export interface Order {
  /** It stands still once it told so many messages. */
  readonly standStillAfter?: number;
  /** It is killed once it wrote so many bytes of commits, in the middle of a write where they end there. */
  readonly dieAfterBytes?: number;
}

/** Loading a fixture takes a third of the time with it, and the tests load hundreds. */
const COMPILE_CACHE = fileURLToPath(new URL("../../../../node_modules/.cache/compile", import.meta.url));

/** A fixture in a process of its own, from source. */
export class Child {
  readonly messages: ChildMessage[] = [];
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;
  #arrived = Promise.withResolvers<void>();

  constructor(fixture: string, ...given: readonly string[]) {
    const path = fileURLToPath(new URL(`./fixtures/${fixture}`, import.meta.url));
    this.#process = fork(path, given, {
      execArgv: ["--conditions=@hookscope/source"],
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#exited = once(this.#process, "exit");
    this.#process.on("message", (message: ChildMessage) => {
      this.messages.push(message);
      this.#announce();
    });
    void this.#exited.then(() => this.#announce());
  }

  get pid(): number {
    return this.#process.pid as number;
  }

  get hasExited(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  /** Tells the fixture to begin, once it is loaded. */
  async go(order: Order = {}): Promise<void> {
    if ((await this.message(0)) === undefined) throw new Error("the process ended before it was loaded");
    this.#process.send(order);
  }

  /** Resolves with the message once there are so many; with undefined where the process ends before. */
  async message(index: number): Promise<ChildMessage | undefined> {
    while (this.messages.length <= index && !this.hasExited) await this.#arrived.promise;
    return this.messages[index];
  }

  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#exited;
  }

  async exited(): Promise<void> {
    await this.#exited;
  }

  #announce(): void {
    this.#arrived.resolve();
    this.#arrived = Promise.withResolvers();
  }
}
