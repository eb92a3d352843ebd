// The message names 'snapshotEvry'.
import { createEngine } from 'countersign'
import { memoryStore } from 'countersign/store-memory'

export const engine = createEngine({ store: memoryStore(), tuning: { snapshotEvry: 100 } })
