/** A certificate for this machine, made when it is needed. */
import { generateKeyPairSync } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { bytesOfHex, der, selfMadeCertificate } from '../../../certificate.ts'

export type ServerCertificate = {
  /** PEM. It is its own authority. */
  readonly certificate: string
  readonly privateKey: string
}

const COMMON_NAME = 3
const BASIC_CONSTRAINTS = der(0x06, bytesOfHex('551d13'))
const ALTERNATIVE_NAMES = der(0x06, bytesOfHex('551d11'))

export const serverCertificate = (hosts: readonly string[]): ServerCertificate => {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const names = hosts.map((host) =>
    isIPv4(host) ? der(0x87, Uint8Array.from(host.split('.'), Number)) : der(0x82, Buffer.from(host, 'ascii')),
  )
  const { bytes } = selfMadeCertificate({
    keys,
    subject: [[COMMON_NAME, hosts[0] ?? 'localhost']],
    extensions: [
      [BASIC_CONSTRAINTS, der(0x30, der(0x01, Uint8Array.of(0xff)))],
      [ALTERNATIVE_NAMES, der(0x30, ...names)],
    ],
  })
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return {
    certificate: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    privateKey: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
