import type { CataloguedError } from './catalogued-error.js';

/** Errors of requests that are invalid, whatever the state of the objects. */
export const requestErrors = {
  invalid_fields: {
    status: 400,
    message: 'name must be 1 to 128 visible characters long.',
    meaning: 'Fields of the body or the query are missing or invalid. `errors` lists all of them.',
    action: 'Correct the fields.',
  },
  invalid_request: {
    status: 400,
    message: 'The body must be a JSON object.',
    meaning:
      "The request cannot be read, for example because of a broken multipart body or an unexpected part. In rare cases the status is another 4xx, with the server's message.",
    action: 'Read the message.',
  },
  malformed_json: {
    status: 400,
    message: 'The body is not valid JSON.',
    meaning: 'The body is not valid JSON.',
    action: 'Send valid JSON.',
  },
  malformed_text: {
    status: 400,
    message: 'The request contains a NUL character or text that is not valid Unicode.',
    meaning: 'The URL, the query or the body contains a NUL character or text that is not valid Unicode.',
    action: 'Encode text as UTF-8, and as percent-encoded UTF-8 in URLs.',
  },
  token_outside_header: {
    status: 400,
    message: 'Send the token in the Authorization header only.',
    meaning: 'The request contains a token as `access_token` in the query or the body.',
    action: 'Send it in the header `Authorization: Bearer …`. Revoke it if it was logged.',
  },
  deployment_to_store: {
    status: 400,
    message: 'The deployment goes to a store: this is only for deployments to channels.',
    meaning:
      'Shares of devices, approvals, rollout plans, health and insights are only for deployments to channels.',
    action: 'Use a deployment whose `appChannelId` is not `null`.',
  },
  invalid_manifest: {
    status: 400,
    message: 'The manifest capawesome-live-update-manifest.json is not JSON.',
    meaning:
      'The manifest of a bundle cannot be read, starts with a byte order mark, is larger than 20 MiB, or lists more than 20,000 files or 320,000 values, no `index.html`, or paths that conflict.',
    action: 'Upload a manifest as described in [bundles](bundles.md#manifests).',
  },
  incomplete_bundle: {
    status: 400,
    message: 'The zip of the bundle was not uploaded.',
    meaning:
      'The bundle cannot be published: files are missing, differ from the manifest, are not listed in it, or are damaged in storage. `errors` lists up to 20 of them.',
    action: 'Upload what is missing or damaged, then publish again.',
  },
  invalid_source: {
    status: 400,
    message: 'The source is not valid: it cannot be read as a zip.',
    meaning:
      'The zip of a build source cannot be unpacked safely: paths or links lead out of it, it unpacks to more than 4 GiB or 100,000 entries, or it is no zip.',
    action: 'Create the zip again and upload it.',
  },
  invalid_zip: {
    status: 400,
    message: 'The zip is not valid: it has no index.html.',
    meaning:
      'Not every device could safely unpack the zip of a bundle: see [zip bundles](bundles.md#zip-bundles). `errors` lists up to 20 reasons.',
    action: 'Create the zip again, upload it, then publish again.',
  },
  invalid_artifact: {
    status: 400,
    message: 'The file is not a valid apk: it is an ipa.',
    meaning:
      'The file of an artifact is not what its type says, or the app in it cannot be read: see [artifacts](artifacts.md).',
    action: 'Check the file and its type, then upload it again.',
  },
  unsafe_reuse: {
    status: 400,
    message:
      'i18n/de.json would keep the content of build 41 on devices that run it. Change the file, a line break is enough, or publish a zip.',
    meaning:
      'Devices would build the signed bundle wrongly from the one that its channel serves to every device now: see [reused files](bundles.md#reused-files).',
    action:
      'Change the content of the file, for example by a line break, sign it again, or publish the bundle as a zip.',
  },
  invalid_signature: {
    status: 400,
    message: 'The bundle is not signed with a key of the app: assets/app.js has no valid signature.',
    meaning:
      'The app has public keys, and none of them verifies a signature of the bundle. `errors` lists up to 20 files.',
    action: "Sign with the private key of one of them, or correct the app's `publicKeys`.",
  },
  unsigned_bundle: {
    status: 400,
    message: 'The channel production is protected: only signed bundles can be deployed to it.',
    meaning: 'The channel is protected, and the bundle is not signed, or not with a current key of the app.',
    action: 'Sign the bundle, or use another channel.',
  },
  destination_type_unsupported: {
    status: 400,
    message:
      'Destinations of the type huawei-appgallery cannot be verified yet: only google-play and apple-app-store-connect can.',
    meaning: 'Slipway stores destinations of this type, but does not call their store yet.',
    action: 'Use a destination of the type `google-play` or `apple-app-store-connect`.',
  },
  certificate_required: {
    status: 400,
    message:
      'A certificate is required for iOS builds of the type ad-hoc: add appCertificateId or appCertificateName. Builds of the type simulator need none.',
    meaning: 'iOS builds are signed, except those for simulators, and the request names no certificate.',
    action: 'Name a certificate for iOS, or build the type `simulator`.',
  },
  certificate_unfit: {
    status: 400,
    message:
      'The certificate Shop is for development, and iOS builds of the type ad-hoc need one for production (Apple Distribution).',
    meaning: 'The certificate cannot sign iOS builds of this type, or has expired.',
    action: 'Use a certificate of the other type, or upload a new one.',
  },
  provisioning_profile_unfit: {
    status: 400,
    message:
      'The certificate Shop has no provisioning profile of the type ad-hoc, only of development: link one to it.',
    meaning:
      'No provisioning profile of the certificate can sign the build: each is of another type or team, has expired, lacks the certificate, or is for another bundle id.',
    action: 'Do what the message says, and link the profile to the certificate.',
  },
  not_a_manifest_bundle: {
    status: 400,
    message: 'There are no deltas of zips: both bundles must be in manifest form.',
    meaning: 'A delta needs two manifest bundles, and one of them is a zip.',
    action: 'Download the zip.',
  },
  git_credentials_refused: {
    status: 400,
    message: 'git.example.com refuses the credentials of the git connection Git: give it new ones.',
    meaning:
      'The git server does not accept the token or password of the git connection, which is marked as broken.',
    action: 'Update the git connection with a valid token or password.',
  },
  git_server_failed: {
    status: 400,
    message:
      'git.example.com is not a public address. An operator of this server can allow it: add git=git.example.com to OUTBOUND_ALLOW.',
    meaning: 'The git server cannot be called, or answers in a way that Slipway does not understand.',
    action:
      'Read the message. Private servers must be [allowed](security.md#outbound-calls) by the operator.',
  },
  git_hook_unsupported: {
    status: 400,
    message:
      'Hooks of gitlab are not understood yet: Slipway looks at the repository every few minutes instead.',
    meaning: 'The server of the repository is of a kind whose hooks Slipway does not understand.',
    action: 'Do nothing: pushes are seen with the next look.',
  },
  invalid_git_ref: {
    status: 400,
    message: 'The repository acme/shop has no branch or tag release.',
    meaning:
      'The git ref is malformed, or the repository has no such branch, tag or commit. Refs of pull requests are refused.',
    action: 'Send the name of a branch or tag, or the whole id of a commit.',
  },
  invalid_idempotency_key: {
    status: 400,
    message: 'Idempotency-Key must be 1 to 255 printable ASCII characters.',
    meaning: '`Idempotency-Key` is empty, longer than 255 characters, or not printable ASCII.',
    action: 'Send a UUID.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used for a request with another body.',
    meaning:
      'The `Idempotency-Key` was already used with this token and path for a request with another body.',
    action: 'Use a new key for a new request.',
  },
  method_not_allowed: {
    status: 405,
    message: 'DELETE is not allowed here.',
    meaning: 'The path exists, but not with this method. `Allow` lists the methods.',
    action: 'Use one of them.',
  },
  too_large: {
    status: 413,
    message: 'The request body is too large.',
    meaning:
      'The body is larger than allowed: 1 MiB of JSON (64 KiB or 4 KiB for some paths), 64 MiB for one file part.',
    action: 'Send large files in parts.',
  },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as application/json.',
    meaning: 'The route does not read this content type.',
    action: 'Send the content type in the message.',
  },
} as const satisfies Readonly<Record<string, CataloguedError>>;
