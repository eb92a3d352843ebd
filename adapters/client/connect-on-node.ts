import type { Stamper } from '../../core/door/transport.ts'
import { keyStamper } from '../signatures/key-stamper.ts'
import type { SigningKey } from '../signatures/signer.ts'
import { connectBy } from './connect.ts'

/**
 * Makes the client of one user of a server: the same client as `engine.as`, over HTTP. It connects when it sends its first request.
 *
 * @throws CountersignError with the code `CONFIGURATION_INVALID` if the URL is missing or wrong
 * @example const ada = connect({ url: 'https://countersign.example.com', organizationId, key })
 */
export const connect = connectBy((key: SigningKey | Stamper): Stamper =>
  typeof key === 'function' ? key : keyStamper(key),
)
