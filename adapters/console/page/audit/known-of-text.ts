import { HeadsFile, headOfText, headsIn, pinOfText } from '../../../../core/audit/known-text.ts'
import { decode } from '../../../../core/codec/codec.ts'
import type { LogHead } from '../../../../core/audit/report.ts'
import { E } from '../../../../core/prelude.ts'
import type { Known } from './audit-file.ts'

/** Why a text is none of heads and pins: it is another file, or this entry of it (from 1) cannot be read. */
export type NotKnown = 'file' | { readonly entry: number }

/** Reads a file of heads, or heads (`ORGANIZATION=SEQUENCE:HASH`) and pins (`ORGANIZATION=HASH`) with spaces or line feeds between. */
export const knownOfText = (text: string): E.Either<NotKnown, Known> => {
  const trimmed = text.trim()
  if (trimmed.startsWith('{')) return ofFile(trimmed)
  const heads: LogHead[] = []
  const pins = new Map<string, string>()
  for (const [index, entry] of trimmed.split(/\s+/).entries()) {
    if (entry === '') continue
    const head = headOfText(entry)
    const pin = pinOfText(entry)
    if (head !== undefined) heads.push(head)
    else if (pin !== undefined) pins.set(...pin)
    else return E.left({ entry: index + 1 })
  }
  return E.right({ heads, pins })
}

const ofFile = (text: string): E.Either<NotKnown, Known> => {
  try {
    const file = decode(HeadsFile, 'file of heads')(JSON.parse(text))
    return E.isRight(file) ? E.right({ heads: headsIn(file.right), pins: new Map() }) : E.left('file')
  } catch {
    return E.left('file')
  }
}
