import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { connect } from '../../../../adapters/client/connect-on-node.ts'
import { signingKey } from '../../../../adapters/signatures/signer.ts'
import { right } from '../../../../adapters/testing/expect.ts'
import { createAuthenticators } from '../../../../core/resources/authenticator/create-authenticators.ts'
import { whoami } from '../../../../core/resources/user/whoami.ts'

type File = { readonly organizationId: string; readonly apiPrivateKey: string }
type Attested = {
  readonly challenge: string
  readonly attestation: {
    readonly credentialId: string
    readonly clientDataJson: string
    readonly attestationObject: string
  }
}

/**
 * Makes a passkey for `localhost` in the browser of somebody, and registers it with the key of a credentials file.
 *
 * @returns the origin of the page that made it
 */
export const registerPasskeyOf = async (page: Page, url: string, file: string): Promise<string> => {
  const { organizationId, apiPrivateKey } = JSON.parse(file) as File // as keygen writes it
  const key = await right(async () => signingKey('API_KEY_CURVE_P256', apiPrivateKey))
  const somebody = connect({ url, organizationId, key })
  const { userId } = await somebody.query(whoami, {})
  const { origin, challenge, attestation } = await madeAt(page)
  await somebody.submit(createAuthenticators, {
    userId,
    authenticators: [{ authenticatorName: 'a passkey', challenge, attestation: { ...attestation, transports: [] } }],
  })
  return origin
}

/** On another page of `localhost`, because the console makes no passkeys. */
const madeAt = async (page: Page): Promise<Attested & { readonly origin: string }> => {
  const server = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html>'))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // it listens on a port
  try {
    const origin = `http://localhost:${port}`
    await page.goto(origin)
    return { origin, ...(await page.evaluate<Attested>(MAKE)) }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const MAKE = `(async () => {
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  const challenge = crypto.getRandomValues(new Uint8Array(32))
  const { rawId, response } = await navigator.credentials.create({
    publicKey: {
      challenge,
      rp: { id: 'localhost', name: 'Console' },
      user: { id: crypto.getRandomValues(new Uint8Array(16)), name: 'grace', displayName: 'grace' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      authenticatorSelection: { residentKey: 'required' },
    },
  })
  return {
    challenge: text(challenge),
    attestation: {
      credentialId: text(rawId),
      clientDataJson: text(response.clientDataJSON),
      attestationObject: text(response.attestationObject),
    },
  }
})()`
