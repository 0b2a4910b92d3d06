import { realApi } from '#test/conformance/apis.ts'
import { eventsContract } from './events-contract.ts'

eventsContract(realApi)
