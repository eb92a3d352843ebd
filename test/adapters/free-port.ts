import { createServer } from 'node:net'
import { once } from 'node:events'
import { randomInt } from 'node:crypto'

/**
 * Below the ports that systems give to clients. Among those, a client that looks for a server which is just starting again may be given the very
 * port that it looks for: then it is connected with itself, the server cannot have its port any more, and both wait for ever.
 */
const [PORT_MIN, PORT_MAX] = [15_000, 32_000]

/** A port that nobody listens on at this moment, and that no client is given. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(PORT_MIN, PORT_MAX)
    if (await isFree(port)) return port
  }
}

const isFree = async (port: number): Promise<boolean> => {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}

/** Starts a server that takes a free port. Somebody else may take the port first: then it is started again, on another one. */
export const onFreePort = async <A>(start: () => Promise<A>): Promise<A> => {
  for (let triesLeft = 3; ; triesLeft -= 1) {
    try {
      return await start()
    } catch (error) {
      if (triesLeft === 0) throw error
    }
  }
}
