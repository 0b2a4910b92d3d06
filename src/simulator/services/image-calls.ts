import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { Refusal } from '#simulator/refusal.ts'
import {
  ImageService,
  ImageServicePullLayerProgress_Status,
} from '#talos/generated/machine/image_pb.ts'
import { imagesIn } from './containerd.ts'
import { pullImage } from './pull-image.ts'
import { served } from './served-method.ts'

const LAYER_BYTES = 64n * 1024n * 1024n

/** The images of a machine, by the calls that v1.13 brought. */
export const imageCalls = served(ImageService, {
  list: function* ({ containerd }, { machine }) {
    for (const image of machine.images.list(imagesIn(containerd))) {
      yield {
        name: image.name,
        digest: image.digest,
        size: BigInt(image.bytes),
        createdAt: timestampFromDate(image.createdAt),
      }
    }
  },
  pull: async function* ({ containerd, imageRef }, { machine }) {
    const name = await pullImage(machine, imageRef, imagesIn(containerd))
    const layerId = name.slice(name.indexOf('@') + 1)
    yield layer(layerId, ImageServicePullLayerProgress_Status.DOWNLOAD_COMPLETE)
    yield layer(layerId, ImageServicePullLayerProgress_Status.EXTRACT_COMPLETE)
    yield { response: { case: 'name', value: name } }
  },
  import: async (requests) => {
    for await (const { request } of requests) {
      if (request.case !== 'containerd') {
        throw new Refusal('InvalidArgument', 'containerd instance is required')
      }
      imagesIn(request.value)
      break
    }
    // A machine here runs no containers, so it has no use for what is in an archive.
    throw new Refusal('Internal', 'failed to import image: not supported by the simulator')
  },
  remove: ({ containerd, imageRef }, { machine }) => {
    machine.images.remove(imageRef, imagesIn(containerd))
    return {}
  },
  verify: async ({ imageRef }, { machine }) => ({
    verified: false,
    message: 'no matching rule',
    digestedImageRef: await machine.images.pull(imageRef, 'system'),
  }),
})

const layer = (layerId: string, status: ImageServicePullLayerProgress_Status) =>
  ({
    response: {
      case: 'pullProgress',
      value: { layerId, progress: { status, offset: LAYER_BYTES, total: LAYER_BYTES } },
    },
  }) as const
