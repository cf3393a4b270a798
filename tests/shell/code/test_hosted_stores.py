"""Clients of services that keep something for others: what deletes it asks, what stays here does not."""

# ruff: noqa: E501 - code of programs
from __future__ import annotations

from tests.gate.disk.test_follow import judged
from tests.tables import for_each

DELETES_IN_NODE = {
    "qdrant": "import {QdrantClient} from '@qdrant/js-client-rest'; const c=new QdrantClient({url:process.env.Q,apiKey:process.env.QK});\n(async()=>{ await c.deleteCollection('docs') })();\n",
    "qdrant url": "const {QdrantClient}=require('@qdrant/js-client-rest'); const c=new QdrantClient({url:'https://q.example.com'});\n(async()=>{ await c.deleteCollection('docs') })();\n",
    "uploadthing": "import {UTApi} from 'uploadthing/server'; const u=new UTApi();\n(async()=>{ await u.deleteFiles(['a']) })();\n",
    "pinecone": "import {Pinecone} from '@pinecone-database/pinecone'; const pc=new Pinecone();\n(async()=>{ await pc.deleteIndex('docs') })();\n",
    "pinecone ns": "import {Pinecone} from '@pinecone-database/pinecone'; const pc=new Pinecone(); const index=pc.index('docs');\n(async()=>{ await index.namespace('a').deleteAll() })();\n",
    "weaviate": "import weaviate from 'weaviate-client'; const client=await weaviate.connectToWeaviateCloud(process.env.W);\n(async()=>{ await client.collections.delete('Docs') })();\n",
    "weaviate ts": "import weaviate from 'weaviate-ts-client'; const client=weaviate.client({host:'w.example.com'});\n(async()=>{ await client.schema.classDeleter().withClassName('A').do() })();\n",
    "milvus": "const {MilvusClient}=require('@zilliz/milvus2-sdk-node'); const c=new MilvusClient({address:process.env.M,token:process.env.T});\n(async()=>{ await c.dropCollection({collection_name:'a'}) })();\n",
    "algolia": "const algoliasearch=require('algoliasearch'); const client=algoliasearch(process.env.A,process.env.K); const index=client.initIndex('p');\n(async()=>{ await index.clearObjects() })();\n",
    "algolia5": "import {algoliasearch} from 'algoliasearch'; const client=algoliasearch(process.env.A,process.env.K);\n(async()=>{ await client.deleteIndex({indexName:'p'}) })();\n",
    "cloudinary": "const cloudinary=require('cloudinary').v2;\n(async()=>{ await cloudinary.api.delete_resources_by_prefix('prod/') })();\n",
    "cloudinary destroy": "import {v2 as cloudinary} from 'cloudinary';\n(async()=>{ await cloudinary.uploader.destroy('a') })();\n",
    "mux": "import Mux from '@mux/mux-node'; const mux=new Mux();\n(async()=>{ await mux.video.assets.delete('a') })();\n",
    "contentful": "const contentful=require('contentful-management'); const client=contentful.createClient({accessToken:process.env.T});\n(async()=>{ const s=await client.getSpace('a'); const e=await s.getEntry('b'); await e.delete() })();\n",
    "sanity": "import {createClient} from '@sanity/client'; const client=createClient({projectId:'a',dataset:'production',token:process.env.T});\n(async()=>{ await client.delete({query:'*[_type==\"post\"]'}) })();\n",
    "supabase empty": "import {createClient} from '@supabase/supabase-js'; const s=createClient(process.env.SUPABASE_URL,process.env.SUPABASE_KEY);\n(async()=>{ await s.storage.emptyBucket('a') })();\n",
    "typesense": "const Typesense=require('typesense'); const client=new Typesense.Client({nodes:[{host:'t.example.com'}]});\n(async()=>{ await client.collections('a').delete() })();\n",
    "meili": "const {MeiliSearch}=require('meilisearch'); const client=new MeiliSearch({host:process.env.H,apiKey:process.env.K});\n(async()=>{ await client.deleteIndex('a') })();\n",
    "meili docs": "const {MeiliSearch}=require('meilisearch'); const client=new MeiliSearch({host:'https://m.example.com'});\n(async()=>{ await client.index('a').deleteAllDocuments() })();\n",
    "upstash": "import {Redis} from '@upstash/redis'; const redis=Redis.fromEnv();\n(async()=>{ await redis.flushdb() })();\n",
    "upstash2": "import {Redis} from '@upstash/redis'; const redis=new Redis({url:process.env.U,token:process.env.T});\n(async()=>{ await redis.flushall() })();\n",
    "upstash vector": "import {Index} from '@upstash/vector'; const index=new Index();\n(async()=>{ await index.reset() })();\n",
    "chroma": "import {ChromaClient} from 'chromadb'; const client=new ChromaClient({path:process.env.C,auth:{credentials:process.env.T}});\n(async()=>{ await client.deleteCollection({name:'a'}) })();\n",
    "elastic": "const {Client}=require('@elastic/elasticsearch'); const client=new Client({node:process.env.E,auth:{apiKey:process.env.T}});\n(async()=>{ await client.indices.delete({index:'a'}) })();\n",
    "vercel blob": "import {del} from '@vercel/blob';\n(async()=>{ await del('https://a.public.blob.vercel-storage.com/x') })();\n",
    "vercel kv": "import {kv} from '@vercel/kv';\n(async()=>{ await kv.flushall() })();\n",
    "imagekit": "const ImageKit=require('imagekit'); const imagekit=new ImageKit({});\n(async()=>{ await imagekit.deleteFile('a') })();\n",
    "appwrite": "const sdk=require('node-appwrite'); const client=new sdk.Client().setEndpoint('https://cloud.appwrite.io/v1'); const databases=new sdk.Databases(client);\n(async()=>{ await databases.delete('a') })();\n",
    "firebase": "const admin=require('firebase-admin'); admin.initializeApp(); const db=admin.firestore();\n(async()=>{ await db.recursiveDelete(db.collection('users')) })();\n",
    "airtable": "const Airtable=require('airtable'); const base=new Airtable({apiKey:process.env.K}).base('a');\n(async()=>{ await base('T').destroy(['rec1']) })();\n",
    "notion": "const {Client}=require('@notionhq/client'); const notion=new Client({auth:process.env.N});\n(async()=>{ await notion.blocks.delete({block_id:'a'}) })();\n",
    "storyblok": "const StoryblokClient=require('storyblok-js-client'); const Storyblok=new StoryblokClient({oauthToken:process.env.S});\n(async()=>{ await Storyblok.delete('spaces/1/stories/2') })();\n",
    "bunny": "import * as BunnyStorageSDK from '@bunny.net/storage-sdk';\n(async()=>{ await BunnyStorageSDK.file.remove(zone,'/a') })();\n",
    "livekit": "const {RoomServiceClient}=require('livekit-server-sdk'); const r=new RoomServiceClient('https://l.livekit.cloud',process.env.K);\n(async()=>{ await r.deleteRoom('a') })();\n",
    "launchdarkly": "const ld=require('launchdarkly-api'); const a=new ld.FeatureFlagsApi();\n(async()=>{ await a.deleteFeatureFlag('p','f') })();\n",
}
DELETES_IN_PYTHON = {
    "qdrant": "import os\nfrom qdrant_client import QdrantClient\nc=QdrantClient(url=os.environ['Q'],api_key=os.environ['K'])\nc.delete_collection('docs')\n",
    "pinecone": "from pinecone import Pinecone\npc=Pinecone()\npc.delete_index('docs')\n",
    "pinecone old": "import pinecone\npinecone.init(api_key='x')\npinecone.delete_index('docs')\n",
    "pinecone ns": "from pinecone import Pinecone\npc=Pinecone()\nindex=pc.Index('docs')\nindex.delete(delete_all=True)\n",
    "weaviate": "import weaviate,os\nclient=weaviate.connect_to_weaviate_cloud(os.environ['W'])\nclient.collections.delete('A')\n",
    "weaviate all": "import weaviate,os\nclient=weaviate.Client(os.environ['W'],auth_client_secret=x)\nclient.schema.delete_all()\n",
    "milvus": "import os\nfrom pymilvus import MilvusClient\nc=MilvusClient(uri=os.environ['M'],token=os.environ['T'])\nc.drop_collection('a')\n",
    "algolia": "import os\nfrom algoliasearch.search_client import SearchClient\nclient=SearchClient.create(os.environ['A'],os.environ['K'])\nindex=client.init_index('a')\nindex.clear_objects()\n",
    "algolia4": "import os\nfrom algoliasearch.search.client import SearchClientSync\nclient=SearchClientSync(os.environ['A'],os.environ['K'])\nclient.delete_index('a')\n",
    "cloudinary": "import cloudinary.api\ncloudinary.api.delete_all_resources()\n",
    "cloudinary up": "import cloudinary.uploader\ncloudinary.uploader.destroy('a')\n",
    "mux": "import mux_python\napi=mux_python.AssetsApi(mux_python.ApiClient())\napi.delete_asset('a')\n",
    "contentful": "import contentful_management\nclient=contentful_management.Client('t')\nclient.entries('s','e').delete('x')\n",
    "supabase": "import os\nfrom supabase import create_client\ns=create_client('https://a.supabase.co',os.environ['K'])\ns.storage.empty_bucket('a')\n",
    "supabase rows": "import os\nfrom supabase import create_client\ns=create_client('https://a.supabase.co',os.environ['K'])\ns.table('a').delete().neq('id',0).execute()\n",
    "typesense": "import typesense,os\nclient=typesense.Client({'nodes':[{'host':'t.example.com'}]})\nclient.collections['a'].delete()\n",
    "meili": "import meilisearch,os\nclient=meilisearch.Client(os.environ['M'],api_key=os.environ['K'])\nclient.delete_index('a')\n",
    "upstash": "from upstash_redis import Redis\nredis=Redis.from_env()\nredis.flushdb()\n",
    "upstash vector": "from upstash_vector import Index\nindex=Index.from_env()\nindex.reset()\n",
    "chroma": "import chromadb,os\nc=chromadb.HttpClient(host='c.example.com')\nc.delete_collection('a')\n",
    "airtable": "from pyairtable import Api\napi=Api('k')\nt=api.table('a','b')\nt.batch_delete(['x'])\n",
    "notion": "from notion_client import Client\nn=Client(auth='x')\nn.blocks.delete(block_id='a')\n",
    "imagekit": "from imagekitio import ImageKit\nk=ImageKit(private_key='a')\nk.delete_file('a')\n",
    "turbopuffer": "import turbopuffer as tpuf\nns=tpuf.Namespace('a')\nns.delete_all()\n",
    "firestore": "from google.cloud import firestore\ndb=firestore.Client()\ndb.recursive_delete(db.collection('users'))\n",
}
STAYS_IN_NODE = {
    "qdrant local": "const {QdrantClient}=require('@qdrant/js-client-rest'); const c=new QdrantClient({url:'http://localhost:6333'});\n(async()=>{ await c.deleteCollection('docs') })();\n",
    "qdrant default": "const {QdrantClient}=require('@qdrant/js-client-rest'); const c=new QdrantClient({host:'localhost'});\n(async()=>{ await c.deleteCollection('docs') })();\n",
    "qdrant read": "const {QdrantClient}=require('@qdrant/js-client-rest'); const c=new QdrantClient({url:process.env.Q,apiKey:process.env.QK});\n(async()=>{ await c.getCollections() })();\n",
    "pinecone read": "import {Pinecone} from '@pinecone-database/pinecone'; const pc=new Pinecone();\n(async()=>{ await pc.listIndexes() })();\n",
    "meili local": "const {MeiliSearch}=require('meilisearch'); const client=new MeiliSearch({host:'http://127.0.0.1:7700'});\n(async()=>{ await client.deleteIndex('a') })();\n",
    "map delete": "import {Pinecone} from '@pinecone-database/pinecone'; const pc=new Pinecone(); const m=new Map();\n(async()=>{ m.delete('a') })();\n",
    "cloudinary map": "const cloudinary=require('cloudinary').v2; const s=new Set();\n(async()=>{ s.delete('a'); console.log(cloudinary.url('a')) })();\n",
    "stream destroy": "const cloudinary=require('cloudinary').v2; const fs=require('fs');\n(async()=>{ const s=fs.createReadStream('a'); s.destroy(); cloudinary.url('x') })();\n",
    "weaviate local": "import weaviate from 'weaviate-client'; const client=await weaviate.connectToLocal();\n(async()=>{ await client.collections.delete('Docs') })();\n",
    "milvus local": "const {MilvusClient}=require('@zilliz/milvus2-sdk-node'); const c=new MilvusClient({address:'localhost:19530'});\n(async()=>{ await c.dropCollection({collection_name:'a'}) })();\n",
    "typesense local": "const Typesense=require('typesense'); const client=new Typesense.Client({nodes:[{host:'localhost',port:8108,protocol:'http'}]});\n(async()=>{ await client.collections('a').delete() })();\n",
}
STAYS_IN_PYTHON = {
    "qdrant local": "from qdrant_client import QdrantClient\nc=QdrantClient(url='http://localhost:6333')\nc.delete_collection('docs')\n",
    "qdrant memory": "from qdrant_client import QdrantClient\nc=QdrantClient(':memory:')\nc.delete_collection('docs')\n",
    "chroma local": "import chromadb\nc=chromadb.Client()\nc.delete_collection('a')\n",
    "pinecone read": "from pinecone import Pinecone\npc=Pinecone()\nprint(pc.list_indexes())\n",
    "dict": "from pinecone import Pinecone\npc=Pinecone()\nd={}\nd.clear()\n",
    "milvus lite": "from pymilvus import MilvusClient\nc=MilvusClient('./a.db')\nc.drop_collection('a')\n",
}


@for_each("code", DELETES_IN_NODE.values(), ids=list(DELETES_IN_NODE))
def test_a_client_of_node_that_deletes_what_others_have_needs_a_person(code):
    assert judged("node x.js", {"x.js": code}, committed=("x.js",)).effect != "allow"


@for_each("code", DELETES_IN_PYTHON.values(), ids=list(DELETES_IN_PYTHON))
def test_a_client_of_python_that_deletes_what_others_have_needs_a_person(code):
    assert judged("python x.py", {"x.py": code}, committed=("x.py",)).effect != "allow"


@for_each("code", STAYS_IN_NODE.values(), ids=list(STAYS_IN_NODE))
def test_a_client_of_node_that_reads_or_has_its_server_here_needs_nobody(code):
    assert judged("node x.js", {"x.js": code}, committed=("x.js",)).effect == "allow"


@for_each("code", STAYS_IN_PYTHON.values(), ids=list(STAYS_IN_PYTHON))
def test_a_client_of_python_that_reads_or_has_its_server_here_needs_nobody(code):
    assert judged("python x.py", {"x.py": code}, committed=("x.py",)).effect == "allow"
