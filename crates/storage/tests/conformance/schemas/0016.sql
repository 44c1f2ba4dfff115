-- The contents of a database with schema version 15, as a service of that version wrote them. Never change this file.
-- Byte literals have the form of SQLite. The database assigns the ids, and its triggers maintain the counters.

INSERT INTO users (name, role, is_disabled, created_at, updated_at) VALUES
    ('admin', 'admin', 0, 1794759630645, 1794759630645),
    ('reader', 'viewer', 1, 1794759631000, 1794759631500);
INSERT INTO api_keys (user_id, name, hash, hint, scopes, is_bootstrap, created_at, expires_at) VALUES
    (1, 'bootstrap', x'b1e5fe61c0ddfe42a7bc5f57c30d84726efc04ec4da672946aabaa08076e1172', '…', 'admin', 1, 1794759630645, NULL);
INSERT INTO encryption_keys (key_id, check_value, created_at) VALUES
    ('72cd6e84', x'013732636436653834fdeae769bd587a676550890bf0adf4992bb1a5694ed28cf00855018a9dbe95d582cde2aceeabf39e9b247ba6de899879', 1794759630575);
INSERT INTO servers (user_id, name, name_key, slug, public_id, status, auth_type, rate_limit_per_min, settings, created_at, updated_at) VALUES
    (1, 'Wetter für Köln', 'wetter für köln', 'wetter-fur-koln', '863e9816546840db017ef76e2b19639e', 'active', 'none', 60, '{"test_credentials":{"auth_type":"bearer","auth_credentials":null}}', 1794759632065, 1794759632065),
    (1, 'Paused', 'paused', 'paused', 'b0d9adca9a145185d4bb675ebfa344f5', 'paused', 'none', 60, NULL, 1794759632093, 1794759632093);
INSERT INTO server_search (server_id, user_id, status, text) VALUES
    (1, 1, 'active', 'wetter für köln
wetter-fur-koln
'),
    (2, 1, 'paused', 'paused
paused
');
INSERT INTO server_credentials (server_id, name, auth_type, has_credentials, created_at, updated_at) VALUES
    (1, 'shared', 'bearer', 0, 1794759632100, 1794759632100);
INSERT INTO tools (server_id, name, description, endpoint_url, http_method, input_schema, auth_type, parameter_mapping, headers, body_type, cache_ttl, timeout, retry_count, sort_order, status, response_type, output_schema, required_client_capabilities, annotations, revision, created_at, updated_at, body_required, tags, origin_document_id, origin_operation, origin_hash, shaping, pinned) VALUES
    (1, 'forecast', '', 'https://api.example.com/{city}', 'GET', '{"type":"object","properties":{},"required":[]}', 'bearer', '{}', '{"X-Token":"********"}', 'json', 0, 30, 0, 0, 'active', 'text', NULL, NULL, NULL, 1, 1794759632116, 1794759632116, 1, '', NULL, NULL, NULL, '{"max_tokens":8000}', 1),
    (1, 'history', '', 'https://api.example.com/history', 'GET', '{"type":"object","properties":{},"required":[]}', 'none', '{}', '{}', 'json', 0, 30, 0, 1, 'paused', 'text', NULL, NULL, NULL, 1, 1794759632139, 1794759632139, 1, '', NULL, NULL, NULL, NULL, 0),
    (2, 'other', '', 'https://api.example.com/', 'GET', '{"type":"object","properties":{},"required":[]}', 'none', '{}', '{}', 'json', 0, 30, 0, 0, 'active', 'text', NULL, NULL, NULL, 1, 1794759632163, 1794759632163, 1, '', NULL, NULL, NULL, NULL, 0);
INSERT INTO resources (server_id, uri, name, description, mime_type, data_source_type, data_source_config, template_uri, created_at, updated_at) VALUES
    (1, 'notes://1', 'notes', 'd', 'text/plain', 'static', '{"content":"x"}', NULL, 1794759632227, 1794759632227);
INSERT INTO endpoint_keys (server_id, name, hash, hint, created_at, expires_at, rate_limit_per_min, last_used_at) VALUES
    (1, 'k', x'0fc0c0c4ad57f17851ad1531355a12b7795d92331baaa73bdd42961ffa0cc179', 'tg_w1lt…', 1794759632247, NULL, 30, 1794759640000);
INSERT INTO secrets (kind, object_id, server_id, key_id, sealed) VALUES
    ('server', 1, 1, '72cd6e84', x'0137326364366538343f988e8e446e3e05f2d46b7319365bded84d7af896d79224cf4d13216eee16dff7250ccca217c7dfe0034b07686c13de15f2f205b9bfde746594fcfea1eb8b388030f6f1e318dcd83182599488ad241f169e816eca242f2d823ba01d0f79c368c1e45cd3fe340ebda8e3a866e3'),
    ('tool', 1, 1, '72cd6e84', x'013732636436653834c2811be76319636590953763f733abdd0a60210dd472b8ffed8cd6be29848cef65aa97c2fe0fa9199c6623ce29a1a7e4a07a5447a84254ccc1ffe7682746f10c0d709da513b2bd5b97fc26468c0b466addc436d7b832a25972e7954268fc53a328b4ca834540deb3c6d979915d59f7c60575368169b20bbe544563caf488216eee1a57');
INSERT INTO documents (server_id, name, url, url_headers, format, version, title, sha256, revision, overlay, options, names, created_at, updated_at) VALUES
    (1, 'Petstore', NULL, '{}', 'openapi', '3.1.0', 'Petstore', 'ebf9a81146b6d431cdd1295bf75c47865197e514ecc537dc6bafc0f84c68d109', 1, '{}', '{}', '{}', 1794759632300, 1794759632300);
INSERT INTO document_versions (document_id, revision, sha256, bytes, content, created_at) VALUES
    (1, 1, 'ebf9a81146b6d431cdd1295bf75c47865197e514ecc537dc6bafc0f84c68d109', 30, x'789cab56ca2f48cd4b2cc854b25232d633d43350d2512a482cc92856b2aaaead05008f0f0959', 1794759632300);
INSERT INTO audit (at, user_id, user_name, key_id, key_name, action, object_kind, object_id, object_name, server_id, owner_id, fields) VALUES
    (1794759630645, NULL, NULL, NULL, NULL, 'create', 'user', 1, 'admin', NULL, NULL, ''),
    (1794759630645, NULL, NULL, NULL, NULL, 'create', 'api_key', 1, 'bootstrap', NULL, NULL, ''),
    (1794759632065, 1, 'admin', 1, 'bootstrap', 'create', 'server', 1, 'Wetter für Köln', 1, NULL, 'name,settings'),
    (1794759632093, 1, 'admin', 1, 'bootstrap', 'create', 'server', 2, 'Paused', 2, NULL, 'name,status'),
    (1794759632116, 1, 'admin', 1, 'bootstrap', 'create', 'tool', 1, 'forecast', 1, NULL, 'name,endpoint_url,auth_type,auth_credentials,headers'),
    (1794759632139, 1, 'admin', 1, 'bootstrap', 'create', 'tool', 2, 'history', 1, NULL, 'name,endpoint_url,status'),
    (1794759632163, 1, 'admin', 1, 'bootstrap', 'create', 'tool', 3, 'other', 2, NULL, 'name,endpoint_url'),
    (1794759632227, 1, 'admin', 1, 'bootstrap', 'create', 'resource', 1, 'notes', 1, NULL, 'uri,name,description,data_source_type,data_source_config'),
    (1794759632247, 1, 'admin', 1, 'bootstrap', 'create', 'endpoint_key', 1, 'k', 1, NULL, 'name,rate_limit_per_min');
INSERT INTO refusals (server_id, hour, reason, requests) VALUES
    (0, 1794758400000, 'unknown_key', 3),
    (1, 1794758400000, 'rate_limit', 2);
INSERT INTO server_members (server_id, user_id, role, created_at, updated_at) VALUES
    (1, 2, 'viewer', 1794759633000, 1794759633000);
INSERT INTO server_owners (server_id, user_id, is_current) VALUES
    (2, 1, 1),
    (2, 2, 0);
INSERT INTO ended_sessions (expires_at, id) VALUES
    (1794846033000, x'0102030405060708090a0b0c');
INSERT INTO oauth_clients (client_id, kind, status, name, redirect_uris, auth_method, secret_hash, created_at, updated_at, last_consent_at) VALUES
    ('tgx_one', 'registered', 'allowed', 'Client', '["http://127.0.0.1/callback"]', 'none', NULL, 1794759634000, 1794759634000, 1794759635000);
INSERT INTO oauth_grants (server_id, user_id, key_id, client_id, redirect_host, scopes, created_at, last_used_at, expires_at, ends_at) VALUES
    (1, 1, 1, 1, '127.0.0.1', 'mcp:read mcp:write', 1794759635000, NULL, 1797351635000, 1810311635000);
INSERT INTO oauth_refresh_tokens (grant_id, hash, parent, expires_at, used_at) VALUES
    (1, x'0fc0c0c4ad57f17851ad1531355a12b7795d92331baaa73bdd42961ffa0cc179', NULL, 1797351635000, NULL);
INSERT INTO ended_grants (id, ended_at) VALUES
    (7, 1794759636000);
INSERT INTO browser_sessions (user_id, hash, key_id, created_at, expires_at) VALUES
    (1, x'b1e5fe61c0ddfe42a7bc5f57c30d84726efc04ec4da672946aabaa08076e1172', 1, 1794759634000, 1794802834000);
INSERT INTO oauth_subjects (id, issuer, subject, name, first_seen, last_seen) VALUES
    (4503599627370497, 'https://id.example.com', '248289761001', 'Ada', 1794759634000, 1794759635000);
