package detectors

import (
	"strings"
	"testing"
)

func TestShortNamesOfRealKernels(t *testing.T) {
	const atElementwise = "at::native::vectorized_elementwise_kernel"
	for full, want := range map[string]string{
		// PyTorch
		"void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>, at::detail::Array<char*, 3> >(int, at::native::AddFunctor<float>, at::detail::Array<char*, 3>)":                                                                                                                         atElementwise,
		"void at::native::vectorized_elementwise_kernel<4, at::native::tanh_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}::operator()() const::{lambda()#4}::operator()() const::{lambda(c10::BFloat16)#1}, std::array<char*, 2ul> >(int, std::array<char*, 2ul>)":                                           atElementwise,
		"void at::native::vectorized_elementwise_kernel<(int)4, at::native::rsqrt_kernel_cuda(at::TensorIteratorBase &)::[lambda() (instance 2)]::operator ()() const::[lambda(float) (instance 1)], std::array<char *, (unsigned long)2>>(int, T2, T3)":                                                          atElementwise,
		"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::func_wrapper_t<float, at::native::sum_functor<float, float, float>::operator()(at::TensorIterator&)::{lambda(float, float)#1}>, unsigned int, float, 4> >(at::native::ReduceOp<float>)":                                   "at::native::reduce_kernel",
		"void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, unsigned int, 2, 128, 1>(float*, at::native::(anonymous namespace)::CatArrInputTensorMetadata<float, unsigned int, 128, 1>)":                                                                                                          "at::native::CatArrayBatchedCopy",
		"void at::native::<unnamed>::distribution_elementwise_grid_stride_kernel<float, (int)4, void at::native::templates::cuda::normal_and_transform<c10::Half, float, at::CUDAGeneratorImpl *>(T1)::[lambda() (instance 1)]>(long)":                                                                            "at::native::distribution_elementwise_grid_stride_kernel",
		"void (anonymous namespace)::softmax_warp_forward<c10::BFloat16, c10::BFloat16, float, 3, false, false>(c10::BFloat16*, c10::BFloat16 const*, int, int, int, bool const*, int, bool)":                                                                                                                     "softmax_warp_forward<c10::BFloat16>",
		"void <unnamed>::softmax_warp_forward<float, float, float, (int)6, (bool)0, (bool)0>(T2 *, const T1 *, int, int, int, const bool *, int, bool)":                                                                                                                                                           "softmax_warp_forward<float>",
		"void (anonymous namespace)::elementwise_kernel_with_index<int, at::native::arange_cuda_out(c10::Scalar const&, at::Tensor&)::{lambda()#1}::operator()() const::{lambda()#4}::operator()() const::{lambda(long)#1}>(int, function_traits<at::native::arange_cuda_out(c10::Scalar const&)>::result_type*)": "elementwise_kernel_with_index<int>",
		"void multi_tensor_apply_kernel<TensorListMetadata<4>, AdamFunctor<float>, float, float>(int, int volatile*, TensorListMetadata<4>)":                                                                                                                                                                      "multi_tensor_apply_kernel<TensorListMetadata>",
		"void linearize_index_kernel<long>(at::GenericPackedTensorAccessor<long, 1ul, at::RestrictPtrTraits, int>)":                                                                                                                                                                                               "linearize_index_kernel<long>",
		"void fbgemm_gpu::permute_2D_data_kernel<false, int, int, decltype(nullptr)>(int, decltype(nullptr)*)":                                                                                                                                                                                                    "fbgemm_gpu::permute_2D_data_kernel<int>",
		"<unnamed>::nvfuser_reduction_f0_c1_r0_g3(<unnamed>::Tensor<long long, (int)1, (int)1>, <unnamed>::Tensor<float, (int)2, (int)2>)":                                                                                                                                                                        "nvfuser_reduction_f0_c1_r0_g3",

		// NVIDIA's libraries
		"void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8>(cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8::Params)":                                                "cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8>",
		"void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<cute::tuple<int, int, int, int>, cutlass::gemm::collective::CollectiveMma<int> > >(cutlass::gemm::kernel::GemmUniversal<cute::tuple<int> >::Params)": "cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal>",
		"void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<(int)128, (int)128, (int)64, (int)4, (bool)0, (bool)0, cutlass::bfloat16_t, Flash_kernel_traits<(int)128, (int)128>>, (bool)0>(flash::Flash_fwd_params)":         "flash::flash_fwd_kernel<Flash_fwd_kernel_traits>",
		"void cudnn::bn_fw_tr_1C11_kernel_NCHW<float, float, 512, true, 1>(cudnnTensorStruct, float const*)":                                                                                                                   "cudnn::bn_fw_tr_1C11_kernel_NCHW<float>",
		"void cask_cudnn_infer::computeOffsetsKernel<false, false>(cask_cudnn_infer::ComputeOffsetsParams)":                                                                                                                    "cask_cudnn_infer::computeOffsetsKernel",
		"cask_cudnn::computeOffsetsKernel(cask_cudnn::ComputeOffsetsParams)":                                                                                                                                                   "cask_cudnn::computeOffsetsKernel",
		"void cudnn::winograd::generateWinogradTilesKernel<0, float, float>(cudnn::winograd::GenerateWinogradTilesParams<float, float>)":                                                                                       "cudnn::winograd::generateWinogradTilesKernel<float>",
		"std::enable_if<true, void>::type internal::gemvx::kernel<int, int, __half, __half, __half, float, true, true>(cublasGemvParams<cublasGemvTensorStridedBatched<__half const>, float>)":                                 "internal::gemvx::kernel<int>",
		"std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, __nv_bfloat16>(cublasGemvParamsEx<int>)":                                                                                                       "internal::gemvx::kernel<int>",
		"void nchwToNhwcKernel<float, float, float, true, false, (cudnnKernelDataType_t)0>(int, int, int, int, float const*, float*, float, float)":                                                                            "nchwToNhwcKernel<float>",
		"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas":                                                                                               "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas",
		"volta_sgemm_128x64_nn":                                                      "volta_sgemm_128x64_nn",
		"nvjet_tst_96x64_64x10_1x2_h_bz_bias_TNN":                                    "nvjet_tst_96x64_64x10_1x2_h_bz_bias_TNN",
		"ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)":                       "ncclKernel_AllReduce_RING_LL_Sum_float",
		"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<(unsigned long)4096>)":      "ncclDevKernel_SendRecv",
		"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)": "ncclDevKernel_AllReduce_Sum_bf16_RING_LL",
		"void cub::DeviceReduceByKeyKernel<cub::DispatchReduceByKey<long*, long*, cub::Equality>::PtxReduceByKeyPolicy, long*, long*>(long*)":                                                                                                        "cub::DeviceReduceByKeyKernel<cub::DispatchReduceByKey::PtxReduceByKeyPolicy>",
		"void cub::DeviceScanKernel<cub::AgentScanPolicy<128, 15, int, (cub::BlockLoadAlgorithm)3, cub::MemBoundScaling<128> >, int*>(int*)":                                                                                                         "cub::DeviceScanKernel<cub::AgentScanPolicy>",
		"void thrust::cuda_cub::core::_kernel_agent<thrust::cuda_cub::__parallel_for::ParallelForAgent<thrust::cuda_cub::__transform::unary_transform_f<int, long>, long>, long>(thrust::cuda_cub::__transform::unary_transform_f<int, long>, long)": "thrust::cuda_cub::core::_kernel_agent<thrust::cuda_cub::__parallel_for::ParallelForAgent>",

		// others
		"triton_poi_fused__to_copy_div_empty_like_zeros_20": "triton_poi_fused__to_copy_div_empty_like_zeros_20",
		"_sum_bitmatrix_rows":                               "_sum_bitmatrix_rows",
		"std::enable_if<(((8)>(0)))&&vllm::_typeConvert<c10::BFloat16>::exists, void>::type vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*, long)":                                 "vllm::fused_add_rms_norm_kernel<c10::BFloat16>",
		"void paged_attention_ll4mi_QKV_mfma16_kernel<0, __hip_bfloat16, (vllm::Fp8KVCacheDataType)0, 1, ck_tile::ComposedAttention<0u, false> >(__hip_bfloat16 const*)":                             "paged_attention_ll4mi_QKV_mfma16_kernel<__hip_bfloat16>",
		"void (anonymous namespace)::store_kvcache<2048l, 4, false, long>((anonymous namespace)::StoreKVCacheParams)":                                                                                "store_kvcache<long>",
		"void clover::par_ranged1d_kernel<update_halo_kernel(int, int, const std::array<int, (unsigned long)4> &, field_type &, const int *, int)::[lambda(int) (instance 9)]>(clover::Range1d, T1)": "clover::par_ranged1d_kernel<update_halo_kernel::lambda#9>",
		"void clover::par_ranged1d_kernel<build_field(global_variables &)::[lambda(int) (instance 4)]>(clover::Range1d, T1)":                                                                         "clover::par_ranged1d_kernel<build_field::lambda#4>",
		"void run<main::{lambda(int)#1}::operator()(int) const::{lambda()#2}>(main::{lambda(int)#1}::operator()(int) const::{lambda()#2})":                                                           "run<main::lambda#1::lambda#2>",
		"void compare<&less::operator<, std::less<int> >(int)": "compare<std::less>",
		"bool lib::operator< <int>(lib::array<int> const&)":    "lib::operator<<int>",
		"void lib::Box<int, 3>::fill<float>(float)":            "lib::Box::fill<float>",
		"void f<a::b::operator()<int>, (x::y)3>()":             "f<a::b::operator()>",

		// ROCm
		"Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT96x96x128_MI16x16x1_SN_LDSB1_AFC1_AG0_AFEM1":              "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT96x96x128_MI16x16x1",
		"Cijk_Ailk_Bjlk_BBS_BH_MT32x32x64_MI16x16x16x1_SN_1LDSB0_APM1":                                            "Cijk_Ailk_Bjlk_BBS_BH_MT32x32x64_MI16x16x16",
		"Cijk_Ailk_Bljk_SB_MT64x64x8_SE_1LDSB0.kd":                                                                "Cijk_Ailk_Bljk_SB_MT64x64x8",
		"igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1_bt128x128x32_wt32x32x8_ws1x1_wr2x2_ta1x8x2x1_1x4x1x64":                 "igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1_bt128x128x32_wt32x32x8_ws1x1_wr2x2_ta1x8x2x1_1x4x1x64",
		"batched_transpose_16x32_half.kd":                                                                         "batched_transpose_16x32_half",
		"attn_fwd [clone .kd]":                                                                                    "attn_fwd",
		"_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi256ELi16ELb1ELb0ELb1ELi1EEEvPT0_PT_PfS4_S4_S4_diiiiiiib": "aiter::add_rmsnorm_quant_kernel",
		"_ZN2ck16tensor_operation6device12_GLOBAL__N_139kernel_grouped_conv_fwd_xdl_cshuffle_v3INS_34GridwiseGemmMultiD_xdl_cshuffle_v3INS_13tensor_layout4gemm8RowMajorE": "ck::tensor_operation::device::kernel_grouped_conv_fwd_xdl_cshuffle_v3<GridwiseGemmMultiD_xdl_cshuffle_v3>",
		"_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdINS_27Rmsnorm2dFwdPipelineOnePassE":                                                                                       "ck_tile::kentry",
		"_ZN7sgl_hip10activation18act_and_mul_kernelI14__hip_bfloat16TnPFT_RKS3_EXadL_Z4siluIS2_ES3_S5_EEEEvPS3_PS4_i":                                                     "sgl_hip::activation::act_and_mul_kernel<__hip_bfloat16>",
		"_Z9my_kernelPfS_i": "_Z9my_kernelPfS_i",
		"_ZN99short":        "_ZN99short",

		// what is no name of a function
		"Memcpy HtoD (Pageable -> Device)": "Memcpy HtoD (Pageable -> Device)",
		"graph 12":                         "graph 12",
		"":                                 "",
		" void ":                           "void",
		"<":                                "<",
		"()":                               "()",
		"(lambda)(int)":                    "(lambda)(int)",
		"f<":                               "f",
		"f<int, g<":                        "f<int>",
	} {
		if got := shortKernelName(full); got != want {
			t.Errorf("%s\n got %q\nwant %q", full, got, want)
		}
	}
}

// Kernels that do different things keep different names.
func TestShortNamesTellKernelsApart(t *testing.T) {
	names := map[string]string{}
	for _, full := range []string{
		"void cutlass::Kernel2<cutlass_80_tensorop_a>(x)", "void cutlass::Kernel2<cutlass_80_tensorop_b>(x)",
		"void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128> >(x)", "void flash::flash_bwd_kernel<Flash_bwd_kernel_traits<128> >(x)",
		"std::enable_if<true, void>::type internal::gemvx::kernel<int>(x)", "std::enable_if<true, void>::type vllm::fused_add_rms_norm_kernel<int>(x)",
		"void k::par<f(int)::[lambda(int) (instance 1)]>(x)", "void k::par<f(int)::[lambda(int) (instance 2)]>(x)", "void k::par<g(int)::[lambda(int) (instance 2)]>(x)",
		"Cijk_Alik_Bljk_BBS_BH_MT96x96x128_MI16x16x1_SN", "Cijk_Alik_Bljk_BBS_BH_MT96x64x128_MI16x16x1_SN",
		"_ZN2ck6kernelINS_5GemmAE", "_ZN2ck6kernelINS_5GemmBE", "void lib::operator<<<int>(x)", "void lib::operator< <int>(x)",
	} {
		short := shortKernelName(full)
		if other, twice := names[short]; twice {
			t.Errorf("%q and %q are both %q", full, other, short)
		}
		names[short] = full
	}
}

// sound reports what is wrong with the short name of a name, nothing as "".
func sound(full, short string) string {
	switch {
	case short == "" && strings.TrimSpace(full) != "":
		return "it is empty"
	case len(short) > len(strings.TrimSpace(full))+1 && !strings.Contains(short, "lambda#"):
		return "it is longer"
	case short != strings.TrimSpace(full) && !strings.Contains(short, "operator") && strings.Count(short, "<") != strings.Count(short, ">"):
		return "its brackets do not match"
	}
	return ""
}

func BenchmarkShortKernelName(b *testing.B) {
	const full = "void at::native::vectorized_elementwise_kernel<4, at::native::tanh_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}::operator()() const::{lambda()#4}::operator()() const::{lambda(c10::BFloat16)#1}, std::array<char*, 2ul> >(int, std::array<char*, 2ul>)"
	for b.Loop() {
		shortKernelName(full)
	}
}

func FuzzShortKernelName(f *testing.F) {
	for _, seed := range []string{
		"void a::f<int, (b)3>(c<d>)", "_ZN2ck6kernelINS_4GemmAEE", "Cijk_MT1x2x3_MI1x2x3_x", "x::operator<< <int>()", "{lambda()#1}<[lambda() (instance 2)]>", "<>()[]{}-> operator",
		"std::enable_if<(1)>(2), int>::type f()",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, full string) {
		if problem := sound(full, shortKernelName(full)); problem != "" {
			t.Errorf("%q became %q: %s", full, shortKernelName(full), problem)
		}
	})
}
