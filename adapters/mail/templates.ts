import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, type Failure } from '../../core/failure.ts'
import { E } from '../../core/prelude.ts'
import type { Template } from './mail-content.ts'

const missing = failure('REQUEST_INVALID', 'failed to get email template contents: there is no template of this id')

/**
 * The template of an id: `<id>.html` and `<id>.txt` in the folder, one of which may be missing.
 *
 * @param templateId  a UUID: no other name gets near the folder
 */
export const templateIn = async (
  folder: string | undefined,
  templateId: string,
): Promise<E.Either<Failure, Template>> => {
  if (folder === undefined || !UUID.test(templateId)) return E.left(missing)
  const [html, text] = await Promise.all(['html', 'txt'].map((ending) => read(join(folder, `${templateId}.${ending}`))))
  return html === undefined && text === undefined ? E.left(missing) : E.right({ html, text })
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const read = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return undefined
  }
}
