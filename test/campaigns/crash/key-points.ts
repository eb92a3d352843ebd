import type { SealedRows } from '../../../core/ports/sealed-rows.ts'
import { crashPoint } from '../../../adapters/crash-point.ts'

/**
 * Sealed rows with points around what the log says of them: a row is there, and no event names its key; a deletion is started, and the row is
 * there; the row is gone, and the log has only the start.
 */
export const withKeyPoints = (sealed: SealedRows): SealedRows => ({
  ...sealed,
  put: (row) => async () => {
    const put = await sealed.put(row)()
    crashPoint('key-sealed')
    return put
  },
  delete: (place) => async () => {
    crashPoint('key-deleting')
    const deleted = await sealed.delete(place)()
    crashPoint('key-deleted')
    return deleted
  },
})
