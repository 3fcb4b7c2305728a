//! An S3 server on a folder: `s3-server FOLDER ADDRESS ACCESS_KEY SECRET_KEY`. The folders in FOLDER are its buckets. It
//! prints the address that it listens on, and exits when its standard input ends.

use std::error::Error;
use std::sync::Arc;

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request};
use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tokio::net::TcpListener;
use tokio::sync::Mutex;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, address, access_key, secret_key] = arguments.as_slice() else {
        return Err("usage: s3-server FOLDER ADDRESS ACCESS_KEY SECRET_KEY".into());
    };
    let mut builder = S3ServiceBuilder::new(FileSystem::new(folder).map_err(|error| format!("{folder}: {error:?}"))?);
    builder.set_auth(SimpleAuth::from_single(access_key, secret_key.as_str()));
    let service = builder.build();
    let listener = TcpListener::bind(address).await?;
    println!("{}", listener.local_addr()?);
    // The parent process may be killed.
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(0);
    });
    // s3s-fs checks whether an object exists and then writes it; S3 guarantees that only one of two puts creates it.
    let puts = Arc::new(Mutex::new(()));
    loop {
        let (connection, _) = listener.accept().await?;
        let (service, puts) = (service.clone(), puts.clone());
        let one_put_at_a_time = service_fn(move |request: Request<Incoming>| {
            let (service, puts) = (service.clone(), puts.clone());
            async move {
                let _put = if request.method() == Method::PUT { Some(puts.lock().await) } else { None };
                service.call(request.map(s3s::Body::from)).await
            }
        });
        tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(connection), one_put_at_a_time));
    }
}
