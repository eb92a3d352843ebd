import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'

/** A port that nobody listens on at this moment. */
export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo // of a TCP socket
  probe.close()
  await once(probe, 'close')
  return port
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
