// The message names 'ActivityFinished'.
import { events, projection } from 'countersign'

export const names = projection({ name: 'names', version: 1, on: [events(['ActivityFinished'], () => [])] })
