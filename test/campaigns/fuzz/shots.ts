import { stamp, type SigningKey } from '../../../adapters/signatures/signer.ts'
import type { Random } from '../simulate/random.ts'
import { BAD_STAMPS } from './stamps.ts'
import { spoils, written, type Spoil } from './bodies.ts'
import { bodyOf, ROUTES, type Known } from './routes.ts'
import { bytesOf, withSpoiltHeaders, withSpoiltPath, type Letter } from './wire.ts'

/** A request to be sent, and what is known of it. */
export type Shot = {
  readonly bytes: Uint8Array
  /** Whether it may be no HTTP: it has a connection of its own. */
  readonly isBroken: boolean
  /** Whether nothing but a refusal will do. */
  readonly mustFail: boolean
  /** What must not stand in an error. */
  readonly secrets: readonly string[]
}

/** Whose keys there are, and what is known of the target. */
export type Aim = { readonly known: Known; readonly keys: readonly SigningKey[]; readonly random: Random }

/** One kind of rubbish. */
export type Kind = { readonly name: string; readonly shoot: (aim: Aim) => Shot }

export const kinds = (): readonly Kind[] => {
  const ways = Object.entries(spoils())
  return [
    { name: 'valid', shoot: (aim) => sent(aim, letterOf(aim)) },
    ...ways.map(([name, spoil]): Kind => ({ name, shoot: (aim) => sent(aim, letterOf(aim, spoil)) })),
    {
      name: 'any of these, under the stamp of what it was',
      shoot: (aim) => forgedShot(aim, aim.random.pick(ways)[1]),
    },
    { name: 'stamps', shoot: (aim) => badlyStamped(aim) },
    { name: 'headers', shoot: (aim) => broken(aim, withSpoiltHeaders(letterOf(aim), aim.random)) },
    { name: 'paths', shoot: (aim) => broken(aim, withSpoiltPath(letterOf(aim), aim.random)) },
  ]
}

const letterOf = ({ known, keys, random }: Aim, spoil?: Spoil): Letter => {
  const route = random.pick(ROUTES)
  const json = bodyOf(route, known, random)
  const body = spoil === undefined ? written(json) : spoil(json, random)
  return letter(route.path, body, [`X-Stamp: ${stamp(random.pick(keys), body)}`])
}

const letter = (path: string, body: Uint8Array, stamps: readonly string[]): Letter => ({
  method: 'POST',
  path,
  version: 'HTTP/1.1',
  headers: ['Host: test', 'Content-Type: application/json', ...stamps, `Content-Length: ${body.length}`],
  body,
})

const sent = ({ known }: Aim, sending: Letter): Shot => ({
  bytes: bytesOf(sending),
  isBroken: false,
  mustFail: false,
  secrets: [known.canary, ...stampsIn(sending)],
})

const broken = (aim: Aim, sending: Letter): Shot => ({ ...sent(aim, sending), isBroken: true })

const forgedShot = (aim: Aim, spoil: Spoil): Shot => {
  const { known, keys, random } = aim
  const route = random.pick(ROUTES)
  const json = bodyOf(route, known, random)
  const honest = written(json)
  const body = spoil(json, random)
  const sending = letter(route.path, body, [`X-Stamp: ${stamp(random.pick(keys), honest)}`])
  return { ...sent(aim, sending), mustFail: !honest.equals(body) }
}

const badlyStamped = (aim: Aim): Shot => {
  const { known, keys, random } = aim
  const route = random.pick(ROUTES)
  const body = written(bodyOf(route, known, random))
  const sending = letter(route.path, body, random.pick(Object.values(BAD_STAMPS))(random.pick(keys), body))
  return { ...sent(aim, sending), mustFail: true }
}

/** The stamps of a letter, and the signatures in them. */
const stampsIn = ({ headers }: Letter): readonly string[] =>
  headers.flatMap((line) => {
    const value = /^x-stamp[a-z-]*: (.{40,})$/i.exec(line)?.[1]
    if (value === undefined) return []
    const signature = /"signature":"([0-9a-f]{40})/.exec(Buffer.from(value, 'base64url').toString())?.[1]
    return [value.slice(0, 60), ...(signature === undefined ? [] : [signature])]
  })
