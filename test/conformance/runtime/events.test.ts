import { anApi } from '#test/an-api.ts'
import { eventsContract } from './events-contract.ts'

eventsContract({ name: 'embedded API', start: () => anApi() })
