import { concat } from '../bytes.ts'
import { int64 } from './protobuf-scalars.ts'

/*
 * Messages of protocol buffers, version 3, as far as TRON has them. The library that reads other binary formats here has none.
 *
 * Writing is canonical: fields in their order, none twice, no default values, numbers as short as they can be. Reading is as loose in these
 * points as other readers are. So whoever reads has to write again and to compare.
 */

/** How the content of a field is read and written: for numbers, the bytes of the varint; else what follows the length. */
export type Coder<T> = {
  readonly wire: Wire
  /**
   * @param content  empty for a field that is absent
   * @returns `undefined` for what is no such value
   */
  readonly read: (content: Uint8Array) => T | undefined
  /** @returns no bytes for the default value */
  readonly write: (value: T) => Uint8Array
}
type Wire = 0 | 2

type Field<T> = {
  readonly number: number
  readonly wire: Wire
  readonly read: (contents: readonly Uint8Array[]) => T | undefined
  readonly write: (value: T) => readonly Uint8Array[]
}
type Optional<T> = Field<T> & { readonly isOptional: true }

/** A field that has its default value where it is absent. */
export const one = <T>(number: number, { wire, read, write }: Coder<T>): Field<T> => ({
  number,
  wire,
  read: (contents) => read(contents.at(-1) ?? new Uint8Array()),
  write: (value) => [write(value)].filter(({ length }) => length > 0),
})

/** A message that can be absent: then so is the member. */
export const optional = <T>(number: number, coder: Coder<T>): Optional<T> => ({
  ...one(number, coder),
  write: (value) => [coder.write(value)],
  isOptional: true,
})

/** @param max  of its values: more are refused before they are read */
export const list = <T>(number: number, max: number, { wire, read, write }: Coder<T>): Field<readonly T[]> => ({
  number,
  wire,
  read: (contents) => {
    if (contents.length > max) return undefined
    const values = contents.map(read).filter((value) => value !== undefined)
    return values.length === contents.length ? values : undefined
  },
  write: (values) => values.map(write),
})

type Fields = { readonly [name: string]: Omit<Field<never>, 'read'> & Pick<Field<unknown>, 'read'> }
type OptionalOf<F extends Fields> = { [K in keyof F]: F[K] extends { readonly isOptional: true } ? K : never }[keyof F]
type ValueOf<F> = F extends Field<infer T> ? T : never
type Message<F extends Fields> = { readonly [K in Exclude<keyof F, OptionalOf<F>>]: ValueOf<F[K]> } & {
  readonly [K in OptionalOf<F>]?: ValueOf<F[K]>
}

/** @param fields  all that it can have, in the order of their numbers: others are refused */
export const message = <F extends Fields>(fields: F): Coder<Message<F>> => {
  const entries = Object.entries(fields)
  const wires = new Map(entries.map(([, { number, wire }]) => [number, wire]))
  return {
    wire: 2,
    read: (content) => {
      const contents = contentsOf(content, wires)
      if (contents === undefined) return undefined
      const values = entries
        .filter(([, field]) => !('isOptional' in field) || contents.has(field.number))
        .map(([name, { number, read }]) => [name, read(contents.get(number) ?? [])] as const)
      if (values.some(([, value]) => value === undefined)) return undefined
      return Object.fromEntries(values) as Message<F> // of each field its own value
    },
    write: (value: { readonly [name: string]: unknown }) =>
      concat(
        entries
          .filter(([name]) => Object.hasOwn(value, name))
          .flatMap(([name, field]) => field.write(value[name] as never).map((content) => framed(field, content))), // `value` fits
      ),
  }
}

const framed = ({ number, wire }: Fields[string], content: Uint8Array): Uint8Array =>
  concat([varint(number * 8 + wire), ...(wire === 0 ? [] : [varint(content.length)]), content])

const varint = (value: number): Uint8Array => (value === 0 ? Uint8Array.of(0) : int64.write(BigInt(value)))

/** The contents of a message's fields, by their numbers. */
const contentsOf = (content: Uint8Array, wires: ReadonlyMap<number, Wire>): Map<number, Uint8Array[]> | undefined => {
  const contents = new Map<number, Uint8Array[]>()
  let at = 0
  const next = (length: number): Uint8Array | undefined =>
    length <= content.length - at ? content.subarray(at, (at += length)) : undefined
  const nextVarint = (): Uint8Array | undefined => {
    const last = content.subarray(at, at + VARINT_MAX).findIndex((byte) => byte < 0x80)
    return last < 0 ? undefined : next(last + 1)
  }
  const nextNumber = (): number => {
    const own = nextVarint()
    return own === undefined ? NaN : Number(int64.read(own))
  }
  while (at < content.length) {
    const tag = nextNumber()
    const number = Math.floor(tag / 8)
    const wire = wires.get(number)
    const own = wire === 0 ? nextVarint() : next(nextNumber())
    if (wire === undefined || tag % 8 !== wire || own === undefined) return undefined
    const others = contents.get(number)
    if (others === undefined) contents.set(number, [own])
    else others.push(own)
  }
  return contents
}

/** A varint of 63 bits has as many bytes. */
const VARINT_MAX = 9
