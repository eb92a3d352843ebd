import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail as a server took it: who it is for, and what it says. */
export type Arrived = { readonly to: readonly string[]; readonly mail: Email; readonly raw: string }

/** A mail server that keeps what it takes. */
export const mailServer = async (options: SMTPServerOptions = {}) => {
  const arrived: Arrived[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onAuth: (_, __, done) => done(null, { user: 'anybody' }),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString()
        const keep = async (): Promise<void> => {
          const mail = await PostalMime.parse(raw)
          arrived.push({ to: envelope.rcptTo.map(({ address }) => address), mail, raw })
        }
        void keep().finally(done)
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  return {
    arrived,
    url: `smtp://sender:the%20password@127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
