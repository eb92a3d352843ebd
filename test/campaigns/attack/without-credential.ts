/** What anybody can do who reaches the server. */
import { createHash, randomUUID } from 'node:crypto'
import { generateKey, stamp } from 'countersign/signatures'
import { encode } from '../bench/seed.ts'
import type { Attack, Salvo } from './attack.ts'
import { BYTES_MAX, inChunksOfOne, JUNK, withJunk } from './bodies.ts'
import { userOf } from '../people.ts'
import { asking, dialling, dripping, ignoring } from './salvos.ts'
import { stamped, unstamped, type Stage } from './stage.ts'

const SUBMIT = 'submit/create_users'

const headOf = (path: string, headers: readonly string[]): string =>
  [`POST /public/v1/${path} HTTP/1.1`, 'Host: test', ...headers, '', ''].join('\r\n')

const head = (path: string, headers: readonly string[]): Uint8Array => Buffer.from(headOf(path, headers), 'latin1')

/** A stamp in good order, of a key that anybody can make. */
const strangerStamp = (body: Uint8Array): string => `X-Stamp: ${stamp(generateKey('API_KEY_CURVE_P256'), body)}`

const chunked = (): Uint8Array =>
  Buffer.concat([head(SUBMIT, ['Transfer-Encoding: chunked']), inChunksOfOne(BYTES_MAX - 16)])

const junkAttacks: readonly Attack[] = Object.entries(JUNK).map(([what, junk]) => ({
  name: `json-${what.replaceAll(',', '').replaceAll(' ', '-')}`,
  says: `Up to a mebibyte of JSON with ${what}, without a stamp.`,
  answers: [400, 401, 413],
  isSingle: true,
  prepare: async ({ url, known }) => asking(url, [unstamped(SUBMIT, withJunk(known.organizationId, junk()))], 4),
}))

const allJunk: Attack = {
  name: 'worst-json',
  says: 'All documents of JSON that cost a reader much, up to a mebibyte each, without a stamp.',
  answers: [400, 401, 413],
  prepare: async ({ url, known }) => {
    const documents = Object.values(JUNK).map((junk) => withJunk(known.organizationId, junk()))
    return asking(
      url,
      documents.map((document) => unstamped(SUBMIT, document)),
      4,
    )
  },
}

const stampIn1000Headers = (): string =>
  headOf('query/whoami', ['Content-Length: 2', ...Array.from({ length: 1500 }, () => 'X-Stamp:')])

export const withoutCredential: readonly Attack[] = [
  {
    name: 'chunks-of-one-byte',
    says: 'A body of a mebibyte in chunks of one byte: six bytes on the wire, and a piece of memory, for each.',
    answers: [0, 400, 401, 408, 413],
    prepare: async ({ url }) => asking(url, [chunked()], 6),
  },
  allJunk,
  ...junkAttacks,
  {
    name: 'eip191-of-a-known-key',
    says: 'A mebibyte with a stamp by EIP-191 that names a known key: the whole has to be hashed before the stamp is found wrong.',
    answers: [401],
    prepare: async ({ url, own, submit }) => {
      const key = generateKey('API_KEY_CURVE_SECP256K1')
      const apiKey = { apiKeyName: 'wallet', publicKey: key.publicKey, curveType: key.curve }
      await submit('create_users', { users: [userOf('wallet', [apiKey])] })
      const body = withJunk(own.organizationId, `"${'x'.repeat(BYTES_MAX - 1024)}"`)
      const wrong = stamp(key, Buffer.from('something else'), { eip191: true })
      return asking(url, [unstamped('query/whoami', body, [`X-Stamp: ${wrong}`])], 4)
    },
  },
  {
    name: 'slow-headers',
    says: '1,200 connections that send a byte of their headers now and then: more than there are places for.',
    answers: [0, 408],
    prepare: async ({ url }) => slowly(url, head('query/whoami', []).subarray(0, -2), 'a'),
  },
  {
    name: 'slow-bodies',
    says: '1,200 connections that announce a mebibyte and send a byte of it now and then.',
    answers: [0, 408],
    prepare: async ({ url }) => slowly(url, head('query/whoami', [`Content-Length: ${BYTES_MAX}`]), ' '),
  },
  {
    name: 'bodies-that-stop',
    says: '300 connections that send all of a mebibyte but its end, and then nothing.',
    answers: [0, 408],
    prepare: async ({ url }) => {
      const most = Buffer.alloc(BYTES_MAX - 1024, ' ')
      const bytes = Buffer.concat([head('query/whoami', [`Content-Length: ${BYTES_MAX}`]), most])
      return dripping(url, bytes, { connections: 300, byte: ' ', pauseMs: 1000 })
    },
  },
  {
    name: 'connections-that-come-and-go',
    says: 'A new connection for each request.',
    answers: [200],
    prepare: async ({ url }) => dialling(url, [Buffer.from('GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n')], 32),
  },
  {
    name: 'two-hosts',
    says: 'Two Host headers, which RFC 9112 has a server refuse.',
    answers: [400],
    prepare: async ({ url }) =>
      asking(url, [Buffer.from('GET /healthz HTTP/1.1\r\nHost: test\r\nHost: other\r\n\r\n')]),
  },
  {
    name: 'thousands-of-headers',
    says: 'Headers of 16 KiB, each with a name of its own and nothing else.',
    answers: [401, 431],
    prepare: async ({ url, known }) => {
      const names = Array.from({ length: 2300 }, (_, n) => `a${n.toString(36)}:`)
      return asking(url, [unstamped('query/whoami', encode({ organizationId: known.organizationId }), names)])
    },
  },
  {
    name: 'a-stamp-header-1500-times',
    says: 'One header of stamps as often as 16 KiB can hold it.',
    answers: [400, 431],
    prepare: async ({ url }) => asking(url, [Buffer.from(`${stampIn1000Headers()}{}`)]),
  },
  {
    name: 'pipelined-and-unread',
    says: 'Requests for the whole specification, thousands in one packet, whose answers nobody reads.',
    answers: [0],
    prepare: async ({ url }) => ignoring(url, pipelined('GET /openapi.json HTTP/1.1\r\nHost: test\r\n\r\n'), 64, 4),
  },
  {
    name: 'pipelined-refusals-unread',
    says: 'Requests that are refused, thousands in one packet, whose answers nobody reads.',
    answers: [0],
    prepare: async ({ url }) => ignoring(url, pipelined('GET /nothing HTTP/1.1\r\nHost: test\r\n\r\n'), 64, 8),
  },
  {
    name: 'organizations-that-are-not-there',
    says: 'Questions to organizations that do not exist: each is looked for in the store.',
    answers: [404],
    prepare: async ({ url }) => {
      const requests = Array.from({ length: 2000 }, () => {
        const body = encode({ organizationId: randomUUID() })
        return unstamped('query/whoami', body, [strangerStamp(body)])
      })
      return asking(url, requests, 16)
    },
  },
  {
    name: 'strangers',
    says: 'Questions with a stamp of a key that nobody has registered.',
    answers: [401],
    prepare: async ({ url, known: { organizationId } }) => {
      const body = encode({ organizationId })
      return asking(
        url,
        Array.from({ length: 500 }, () => unstamped('query/whoami', body, [strangerStamp(body)])),
        16,
      )
    },
  },
  {
    name: 'wrong-signatures-of-a-known-key',
    says: 'Questions that name a known key, with a signature that does not fit: each has to be verified.',
    answers: [401],
    prepare: async ({ url, known }) => asking(url, wrongSignatures(known), 16),
  },
]

const wrongSignatures = ({ organizationId, publicKey }: Stage['known']): readonly Uint8Array[] => {
  const key = { ...generateKey('API_KEY_CURVE_P256'), publicKey }
  return Array.from({ length: 500 }, (_, n) => {
    const nonce = createHash('sha256').update(String(n)).digest('hex')
    return stamped('query/whoami', encode({ organizationId, nonce }), key)
  })
}

const slowly = (url: string, bytes: Uint8Array, byte: string): Salvo =>
  dripping(url, bytes, { connections: 1200, byte, pauseMs: 3000 })

const pipelined = (request: string): Uint8Array => Buffer.from(request.repeat(Math.floor(65_536 / request.length)))
