-- Percent-encodes what RFC 3986 does not allow in the URLs of registered bundles: plugins on iOS crash on it.
WITH parts AS (
  SELECT id, substring(url FROM '^https?://[^/?#]*') AS authority, substring(url FROM '^https?://[^/?#]*(.*)$') AS rest
    FROM bundles WHERE url ~ '[^A-Za-z0-9._~!$&''()*+,;=:@/?%-]|%(?![0-9A-Fa-f]{2})'
), encoded AS (
  SELECT parts.id, string_agg(
           CASE WHEN character[1] ~ '^(%..|[A-Za-z0-9._~!$&''()*+,;=:@/?-])$' THEN character[1]
                WHEN in_authority AND character[1] IN ('[', ']') THEN character[1]
                ELSE upper(regexp_replace(encode(convert_to(character[1], 'UTF8'), 'hex'), '(..)', '%\1', 'g')) END,
           '' ORDER BY NOT in_authority, number) AS url
    FROM parts
   CROSS JOIN LATERAL (VALUES (true, authority), (false, rest)) AS part (in_authority, part)
   CROSS JOIN LATERAL regexp_matches(part, '%[0-9A-Fa-f]{2}|.', 'g') WITH ORDINALITY AS token (character, number)
   GROUP BY parts.id
)
UPDATE bundles SET url = encoded.url FROM encoded WHERE bundles.id = encoded.id AND bundles.url <> encoded.url;
