import { Worker } from '#api/worker.ts'
import { anApi } from '#test/an-api.ts'
import { clientContract } from './client-contract.ts'

clientContract({ name: 'embedded API', start: () => anApi({ kinds: [Worker] }) })
