import { encodeUtf8 } from '../../core/bytes.ts'
import { newKey, textOfKeys } from '../keyring/keystore-keys.ts'
import { say } from './print.ts'
import { mustBeNew, writeWhole } from '../files/whole-file.ts'

/** Makes a keystore in a file, with a new key. There is no way to replace one: the keys that it opens would be lost. */
export const createKeystore = async (path: string): Promise<number> => {
  await mustBeNew(path)
  await writeWhole(path, [encodeUtf8(textOfKeys([newKey()]))], 'new')
  say(`The keystore is in ${path}. Keep it secret, and keep a copy, apart from those of the store.`)
  return 0
}
