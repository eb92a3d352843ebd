/** The calls that a thread, a process or a server works on. */
const calls = new Set<Promise<unknown>>()

const noted = <A>(call: Promise<A>): Promise<A> => {
  const ended = (): void => void calls.delete(call)
  calls.add(call)
  call.then(ended, ended)
  return call
}

type Callable = (...args: readonly unknown[]) => unknown
const isCallable = (value: unknown): value is Callable => typeof value === 'function'

/** The port, with every call noted for as long as it is under way. What a port tells of itself, by `watch`, is no call. */
export const counted = <Port extends object>(port: Port): Port => {
  const member = (name: string, value: unknown): unknown => {
    if (!isCallable(value) || name === 'watch') return value
    return (...args: readonly unknown[]): unknown => {
      const answer = value(...args)
      if (answer instanceof Promise) return noted(answer)
      return isCallable(answer) ? () => noted(Promise.resolve(answer())) : answer
    }
  }
  // Each member has the type that it had.
  return Object.fromEntries(Object.entries(port).map(([name, value]) => [name, member(name, value)])) as Port
}

/**
 * Lets everything happen that waits for no time and for nothing that the test holds. What waits for promises alone is done after one turn
 * of the event loop; what waits for something else has a call of a port under way.
 */
export const quiet = async (): Promise<void> => {
  do {
    await Promise.allSettled(calls)
    await new Promise((resolve) => setImmediate(resolve))
  } while (calls.size > 0)
}
