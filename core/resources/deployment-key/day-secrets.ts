import { gcm } from '@noble/ciphers/aes.js'
import { managedNonce } from '@noble/ciphers/utils.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { decodeBase64, decodeUtf8, encodeBase64Url, encodeHex, encodeUtf8 } from '../../bytes.ts'
import type { Failure } from '../../failure.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Keyring } from '../../ports/keyring.ts'
import type { TellNotice } from '../../ports/notice.ts'
import type { SealedPlace, SealedRows } from '../../ports/sealed-rows.ts'
import { E, TE, pipe } from '../../prelude.ts'
import { ROW_CURVE, rowPlace, rowSecret } from './row-signature.ts'
import { deleteTakenBefore, taken, type Taking, type TakingRows } from './takings.ts'

/*
 * Secrets of the whole deployment, one for each day (UTC). What is sealed under one can be opened on its day and on the next one; then the secret is
 * deleted, and nobody can open it any more, whoever has the log. A secret follows from a key in a sealed row that is named after the day.
 */

/** What is sealed. What was sealed for the one use does not open for the other. */
export type SealedFor = 'result' | 'read-only session' | 'code'

/** The engine itself has this service, if it has a keyring and sealed rows. Operations get it by the port `countersign.day-secrets`. */
export type DaySecrets = {
  /** Seals a text under the secret of the present day. */
  readonly seal: (use: SealedFor, text: string) => TE.TaskEither<Failure, string>
  /** The text; `undefined` where it was sealed for another use or elsewhere, where it was changed, and where its secret is gone. */
  readonly open: (use: SealedFor, sealed: string) => string | undefined
  /**
   * 64 bytes that follow from a label and the secret of the day on which a text was sealed: always the same ones. `undefined` where that secret is gone.
   */
  readonly derive: (sealed: string, label: string) => Uint8Array | undefined
  /**
   * Takes one of so many, durably, before all other processes on the store. It is given back when the day of `untilMs` is over: at most a day ahead.
   *
   * @returns false where all are taken by others
   */
  readonly take: (taking: Taking, untilMs: number) => TE.TaskEither<Failure, boolean>
  /** Names a text for as long as the deployment lives, without telling it: a MAC in hex. */
  readonly nameOf: (text: string) => string
  /** Resolves when no change of a day is under way any more. */
  readonly close: () => Promise<void>
}

/** The name of the port with the engine's own service. */
export const DAY_SECRETS = 'countersign.day-secrets'

export type DaySecretsPorts = {
  readonly keyring: Pick<Keyring, 'makeKey' | 'sign'>
  readonly sealed: TakingRows & Pick<SealedRows, 'delete'>
  readonly clock: Clock
  readonly notice: TellNotice
}

const DAY_MS = 24 * 60 * 60 * 1000
/** How long it waits after a failure. */
const AGAIN_MS = 60_000

/** Makes the secrets of this day and the next one, so that nothing waits for a change of the day, and deletes those from before yesterday. */
export const daySecrets = async (ports: DaySecretsPorts): Promise<E.Either<Failure, DaySecrets>> => {
  const { clock, notice } = ports
  const known = new Map<number, Uint8Array>()
  const today = (): number => Math.floor(clock.now() / DAY_MS)

  const secretOf = async (day: number): Promise<E.Either<Failure, Uint8Array>> => {
    const found = known.get(day)
    if (found !== undefined) return E.right(found)
    const made = await secretOfRow(ports, day, day >= today())()
    if (E.isRight(made)) known.set(day, made.right)
    return made
  }

  /** Gives the day to which it has changed. */
  const change = async (): Promise<E.Either<Failure, number>> => {
    const day = today()
    for (const one of [day - 1, day, day + 1]) {
      const secret = await secretOf(one)
      const isMissed = one < day && E.isLeft(secret) && secret.left.code === 'KEY_MISSING' // nobody was there yesterday
      if (E.isLeft(secret) && !isMissed) return secret
    }
    for (const one of known.keys()) if (one < day - 1) known.delete(one)
    const deleted = await deleteBefore(ports, day - 1)
    if (E.isLeft(deleted)) return deleted
    return E.map(() => day)(await deleteTakenBefore(ports.sealed, day - 1))
  }

  let callOff = (): void => undefined
  let isClosed = false
  let changing = Promise.resolve()
  const goOnAfter = (ms: number): void => {
    callOff = clock.after(Math.max(0, ms), () => void (changing = goOn()))
  }
  const goOnBehind = (day: number): void => goOnAfter((day + 1) * DAY_MS - clock.now())
  const goOn = async (): Promise<void> => {
    const changed = await change()
    if (isClosed) return
    if (E.isRight(changed)) return goOnBehind(changed.right)
    const { code, message } = changed.left
    notice({ level: 'warn', message: `the secret of the day was not changed: ${message}`, context: { code } })
    goOnAfter(AGAIN_MS)
  }

  /** The secret under which a text was sealed, if it is not gone. */
  const secretIn = (text: string): Uint8Array | undefined => {
    const day = dayOf(text)
    return day === undefined || Math.abs(day - today()) > 1 ? undefined : known.get(day)
  }

  const lasting = await lastingSecret(ports)()
  if (E.isLeft(lasting)) return lasting
  const first = await change()
  if (E.isLeft(first)) return first
  goOnBehind(first.right)
  return E.right({
    seal: (use, text) => async () => {
      const day = today()
      return E.map((secret: Uint8Array) => sealed(secret, use, day, text))(await secretOf(day))
    },
    open: (use, text) => {
      const secret = secretIn(text)
      return secret && opened(secret, use, text)
    },
    derive: (text, label) => {
      const secret = secretIn(text)
      return secret && hmac(sha512, secret, encodeUtf8(`countersign derived ${label}`))
    },
    take: (taking, untilMs) => async () => {
      const day = Math.floor(untilMs / DAY_MS)
      const secret = await secretOf(day)
      return E.isLeft(secret) ? secret : taken(ports.sealed, day, secret.right, taking)
    },
    nameOf: (text) => encodeHex(hmac(sha256, lasting.right, encodeUtf8(text))),
    close: () => {
      isClosed = true
      callOff()
      return changing
    },
  })
}

const NAMES = 'names'

/** The secret under which names are made, which is never deleted. */
const lastingSecret = ({ keyring }: Pick<DaySecretsPorts, 'keyring'>): TE.TaskEither<Failure, Uint8Array> =>
  pipe(
    keyring.makeKey(rowPlace(NAMES), ROW_CURVE),
    TE.flatMap(() => rowSecret(keyring, NAMES, 'countersign names')),
  )

/** Behind it comes the number of the day since 1970. */
const ROW = 'day.'
const LABEL = 'countersign secret of the day'

/** How often the secret of one day may have been deleted. */
const DELETED_MAX = 9

/**
 * A clock that was ahead has the secrets of all days before deleted, and what is gone is never made again: the next one of such a day has another
 * name, which is the same for everybody.
 */
const secretOfRow = (
  ports: Pick<DaySecretsPorts, 'keyring'>,
  day: number,
  makes: boolean,
  deleted = 0,
): TE.TaskEither<Failure, Uint8Array> => {
  const { keyring } = ports
  const keyId = deleted === 0 ? `${ROW}${day}` : `${ROW}${day}.${deleted}`
  return pipe(
    makes ? keyring.makeKey(rowPlace(keyId), ROW_CURVE) : TE.right(undefined),
    TE.flatMap(() => rowSecret(keyring, keyId, LABEL)),
    TE.orElse((why) =>
      why.code === 'KEY_MISSING' && deleted < DELETED_MAX ? secretOfRow(ports, day, makes, deleted + 1) : TE.left(why),
    ),
  )
}

const deleteBefore = async (
  { sealed: rows }: Pick<DaySecretsPorts, 'sealed'>,
  day: number,
): Promise<E.Either<Failure, void>> => {
  for (let after: SealedPlace = { organization: '', id: ROW }; ;) {
    const page = await rows.list(after, PAGE)()
    if (E.isLeft(page)) return page
    for (const row of page.right) {
      if (row.organization !== '' || !row.id.startsWith(ROW)) return E.right(undefined)
      after = row
      if ('isGone' in row || Number(row.id.slice(ROW.length)) >= day) continue
      const deleted = await rows.delete(row)()
      if (E.isLeft(deleted)) return deleted
    }
    if (page.right.length < PAGE) return E.right(undefined)
  }
}
const PAGE = 100

/* Four bytes of the day, and then AES-256-GCM: a nonce of 12 bytes, the ciphertext, a tag of 16 bytes. */

const DAY_BYTES = 4
const cipherOf = (secret: Uint8Array, use: SealedFor) => managedNonce(gcm)(secret, encodeUtf8(use))

const sealed = (secret: Uint8Array, use: SealedFor, day: number, text: string): string => {
  const encrypted = cipherOf(secret, use).encrypt(encodeUtf8(text))
  const whole = new Uint8Array(DAY_BYTES + encrypted.length)
  new DataView(whole.buffer).setUint32(0, day)
  whole.set(encrypted, DAY_BYTES)
  return encodeBase64Url(whole)
}

const bytesOf = (text: string): Uint8Array | undefined => {
  const bytes = decodeBase64(text)
  return bytes !== undefined && bytes.length > DAY_BYTES && encodeBase64Url(bytes) === text ? bytes : undefined
}

const dayOf = (text: string): number | undefined => {
  const bytes = bytesOf(text)
  return bytes && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
}

const opened = (secret: Uint8Array, use: SealedFor, text: string): string | undefined => {
  const bytes = bytesOf(text)
  if (bytes === undefined) return undefined
  try {
    return decodeUtf8(cipherOf(secret, use).decrypt(bytes.subarray(DAY_BYTES)))
  } catch {
    return undefined // it was changed, or sealed for another use
  }
}
