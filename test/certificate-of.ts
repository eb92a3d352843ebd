import { generateKeyPairSync } from 'node:crypto'
import { parseIpAddress } from '../core/address/ip-address.ts'
import { bytesOfHex, der, selfMadeCertificate, type SelfMadeOptions } from './certificate.ts'

export type Made = { readonly cert: string; readonly key: string }

/** A certificate that is its own authority, for hosts of whom each is a name or an address of IPv6 or IPv4. */
export const certificateOf = (hosts: readonly string[], times: Pick<SelfMadeOptions, 'from' | 'to'> = {}): Made => {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const names = hosts.map((host) => {
    const address = parseIpAddress(host)?.flatMap((group) => [group >> 8, group & 255])
    if (address === undefined) return der(0x82, Buffer.from(host, 'ascii'))
    return der(0x87, Uint8Array.from(host.includes(':') ? address : address.slice(-4)))
  })
  const { bytes } = selfMadeCertificate({
    keys,
    subject: [[3, 'test']],
    extensions: [
      [der(0x06, bytesOfHex('551d13')), der(0x30, der(0x01, Uint8Array.of(0xff)))], // an authority
      [der(0x06, bytesOfHex('551d11')), der(0x30, ...names)], // its names
    ],
    ...times,
  })
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
